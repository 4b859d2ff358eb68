// `npm run show:remote`: plays the show of docs/remote.md and writes down there what was seen. It brings what it needs:
// nginx, network namespaces (Linux, root), Chromium and Claude Code.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
// With CI, what is missing is an error instead of a skipped test.
const env = { ...process.env, CI: 'true', BECKON_SHOW: '1' };
const steps = [
  ['scripts/network.mjs'],
  ['scripts/browser.mjs'],
  ['scripts/claude-code.mjs'],
  ['node_modules/vitest/vitest.mjs', 'run', 'tests/remote/show.test.ts'],
];
for (const args of steps) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
