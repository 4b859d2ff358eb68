import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { DEFAULT_EVENTS, SHARED_COMMAND, toOwnHooks } from '../../packages/beckon/src/cli/claude/hook-entries.ts';
import { CLAUDE } from './harness/client.ts';
import { useLab } from './harness/use-lab.ts';

const plugin = fileURLToPath(new URL('../../plugins/claude-code', import.meta.url));

test('the plugin has the hooks that "beckon claude install" writes', () => {
  const hooks = toOwnHooks({ command: SHARED_COMMAND, events: DEFAULT_EVENTS, timeoutSeconds: 82_800 });
  expect(JSON.parse(readFileSync(`${plugin}/hooks/hooks.json`, 'utf8'))).toEqual({ hooks });
});

describe.runIf(CLAUDE !== null)('the plugin', () => {
  const use = useLab();

  test('is valid for Claude Code', async () => {
    const run = use().start(CLAUDE ?? '', ['plugin', 'validate', '--strict', plugin], use().folder);
    run.child.stdin?.end();
    expect(await run.end()).toMatchObject({ code: 0 });
  });
});
