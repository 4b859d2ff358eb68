import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLAUDE } from './harness/client.ts';
import { Lab } from './harness/lab.ts';

const BASH = { command: 'touch marker.txt && echo hi', description: 'Say hi' };
const LIMIT = { timeout: 180_000 };

describe.runIf(CLAUDE !== null)('a permission, without a terminal', LIMIT, () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await Lab.open();
  }, 120_000);
  afterAll(() => lab.close());

  test('is given in Beckon: the tool runs', async () => {
    const project = await lab.project();
    lab.api.script('allow', [[{ tool: 'Bash', input: BASH }]]);
    const run = lab.print(project, 'allow');
    const asked = await lab.pending(project, 'approval');
    expect(asked.request).toMatchObject({ tool: 'Bash', input: BASH, description: 'Say hi' });
    await lab.answer(asked, { decision: 'allow' });
    expect(JSON.parse((await run.ended).stdout)).toMatchObject({ result: 'FINAL[hi]' });
    expect(lab.api.results('allow')).toEqual([{ id: 'toolu_allow_0_0', text: 'hi', isError: false }]);
    expect(existsSync(join(project, 'marker.txt'))).toBe(true);
  });
});
