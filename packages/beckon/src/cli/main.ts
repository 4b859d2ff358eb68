#!/usr/bin/env node
// Import nothing heavy here: `beckon --version` takes about as long as Node itself.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { isHookAgent } from '../adapters/hooks/hook-dialect.ts';
import { readVersion } from '../daemon/version.ts';

const [first, second] = process.argv.slice(2);
if (first === '--version' || first === '-V') {
  process.stdout.write(`${readVersion()}\n`);
} else if (first === 'hook' && isHookAgent(second) && !process.argv.includes('--help')) {
  cacheCode();
  const { runHook } = await import('./hook/hook.ts');
  await runHook(second, process.argv.slice(4));
} else {
  cacheCode();
  const { runCli } = await import('./run-cli.ts');
  process.exitCode = await runCli(process.argv.slice(2));
}

/** Makes later starts faster. The cache belongs to this user: others could replace code in a shared folder. */
function cacheCode(): void {
  const { XDG_CACHE_HOME: cache, HOME: home } = process.env;
  const folder = cache || (home && join(home, '.cache'));
  if (folder) enableCompileCache(join(folder, 'beckon'));
}
