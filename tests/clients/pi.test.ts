import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pi } from './drivers/pi.ts';
import { testClient } from './harness/client.testsuite.ts';
import { useClientLab } from './harness/client-lab.ts';
import { isInstalled } from './harness/installed.ts';

testClient(pi);

describe.runIf(isInstalled(pi.client))('pi with other answers', () => {
  const use = useClientLab(pi);

  test('a call runs as the person changed it', { timeout: 300_000 }, async () => {
    const lab = use();
    const project = lab.project();
    lab.model.script('changed', [[pi.call('touch first.txt')]]);
    lab.run(pi.headless?.('Do it. SCENARIO:changed', []) ?? [], project).child.stdin?.end();
    const asked = await lab.pending(project, 'approval');
    await lab.answer(asked, { decision: 'allow', updatedInput: { command: 'touch second.txt' } });
    await lab.result('changed');
    expect(existsSync(join(project, 'first.txt'))).toBe(false);
    expect(existsSync(join(project, 'second.txt'))).toBe(true);
  });
});
