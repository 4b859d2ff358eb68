import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { copilot } from './drivers/copilot.ts';
import { testClient } from './harness/client.testsuite.ts';
import { useClientLab } from './harness/client-lab.ts';
import { isInstalled } from './harness/installed.ts';

testClient(copilot);

describe.runIf(isInstalled('copilot'))('a change of a file by Copilot CLI', () => {
  const use = useClientLab(copilot);

  test('is asked with its diff, and runs', async () => {
    const { file, asked, run } = await edit('runs');
    expect(asked.request).toMatchObject({
      tool: 'apply_patch',
      input: { patch: expect.stringContaining(`+++ ${file}\n`) },
    });
    expect((await use().beckon.context(asked.id))?.files).toMatchObject([{ path: file, lines: 3 }]);
    await use().answer(asked, { decision: 'allow' });
    await run.end();
    expect(readFileSync(file, 'utf8')).toBe('one\nbye\nthree\n');
  });

  test('that was allowed does not run once the file has changed', async () => {
    const { file, asked, run } = await edit('changed');
    writeFileSync(file, 'one\nhello\nfour\n');
    await use().answer(asked, { decision: 'allow' });
    expect(await use().result('changed')).toContain(`${file} has changed after this call was asked`);
    await run.end();
    expect(readFileSync(file, 'utf8')).toBe('one\nhello\nfour\n');
  });

  async function edit(scenario: string) {
    const lab = use();
    const project = lab.project();
    const file = join(project, 'a.txt');
    writeFileSync(file, 'one\nhello\nthree\n');
    lab.model.script(scenario, [[{ tool: 'edit', input: { path: file, old_str: 'hello', new_str: 'bye' } }]]);
    const run = lab.run(copilot.headless!(`Do it. SCENARIO:${scenario}`, []), project);
    run.child.stdin?.end();
    return { file, run, asked: await lab.pending(project, 'approval') };
  }
});
