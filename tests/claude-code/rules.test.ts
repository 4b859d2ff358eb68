import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLAUDE } from './harness/client.ts';
import type { Lab } from './harness/lab.ts';
import { useLab } from './harness/use-lab.ts';

const BASH = { command: 'touch marker.txt && echo hi', description: 'Say hi' };

describe.runIf(CLAUDE !== null)('a permission that rules decide', () => {
  const use = useLab();

  test('is given without anybody: two rules together cover the command, and the tool runs', async () => {
    const { lab, project } = await prepare('ruled');
    const rules = [await addRule(lab, project, '--allow', 'touch marker.txt')];
    rules.push(await addRule(lab, project, '--allow', 'echo hi'));
    await lab.print(project, 'ruled').end();
    expect(lab.api.results('ruled')).toEqual([{ id: 'toolu_ruled_0_0', text: 'hi', isError: false }]);
    expect(existsSync(join(project, 'marker.txt'))).toBe(true);
    const [asked] = await asksOf(project);
    expect(asked).toMatchObject({
      answer: { decision: 'allow' },
      answeredBy: { via: `rule:${rules[0]}`, kind: 'rule' },
    });
    const shown = JSON.parse((await lab.cli(['rules', 'show', rules[1] ?? '', '--json'], project)).stdout);
    expect(shown).toMatchObject({ hits: 1, recent: [{ id: asked?.id }] });
  });

  test('is refused without anybody, and the model reads why', async () => {
    const { lab, project } = await prepare('forbidden');
    await addRule(lab, project, '--deny', 'touch', '--reason', 'Nothing is created here');
    await lab.print(project, 'forbidden').end();
    expect(lab.api.results('forbidden')).toEqual([
      { id: 'toolu_forbidden_0_0', text: 'Nothing is created here', isError: true },
    ]);
    expect(existsSync(join(project, 'marker.txt'))).toBe(false);
  });

  test('waits for a person again once the rule is removed', async () => {
    const { lab, project } = await prepare('revoked');
    const id = await addRule(lab, project, '--deny', 'touch', '--reason', 'Nothing is created here');
    expect((await lab.cli(['rules', 'remove', id], project)).code).toBe(0);
    const run = lab.print(project, 'revoked');
    await lab.answer(await lab.pending(project, 'approval'), { decision: 'allow' });
    await run.end();
    expect(lab.api.results('revoked').map(({ text }) => text)).toEqual(['hi']);
  });

  async function prepare(scenario: string): Promise<{ lab: Lab; project: string }> {
    const lab = use();
    lab.api.script(scenario, [[{ tool: 'Bash', input: BASH }]]);
    return { lab, project: await lab.project() };
  }

  /** Makes a rule for this project's folder alone, and gives its id. */
  async function addRule(lab: Lab, project: string, ...rule: string[]): Promise<string> {
    const { stdout, stderr } = await lab.cli(
      ['rules', 'add', ...rule, '--folder', project, '--yes', '--json'],
      project,
    );
    try {
      return (JSON.parse(stdout) as { id: string }).id;
    } catch {
      throw new Error(stderr);
    }
  }

  async function asksOf(project: string) {
    const { items } = await use().beckon.list();
    return items.filter(({ metadata }) => metadata?.['cwd'] === project);
  }
});
