import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLAUDE } from './harness/client.ts';
import type { Lab } from './harness/lab.ts';
import { useLab } from './harness/use-lab.ts';

const PLAN = '# The plan\n\n1. do it\n';
const PLANNING = ['--permission-mode', 'plan'];
/** The call that comes after the one that writes the plan. */
const EXIT = 2;
const DIALOG = /ready to code|Would you like to proceed|Ready to/i;

describe.runIf(CLAUDE !== null)('a plan', () => {
  const use = useLab();

  test.each(['edit', 'clean_edit'])('accepted as %s lets Claude edit without asking', async (decision) => {
    const { lab, project } = await prepare(decision);
    const run = lab.host(project, decision, ...PLANNING);
    const asked = await lab.pending(project, 'plan_review');
    expect(asked.request.plan).toBe(PLAN);
    await lab.answer(asked, { decision });
    await run.end();
    expect(toStable(await lab.result(decision, EXIT))).toBe(approved(PLAN));
    expect(existsSync(join(project, 'out.txt'))).toBe(true);
  });

  test('accepted as default asks for each edit', async () => {
    const { lab, project } = await prepare('default');
    const run = lab.host(project, 'default', ...PLANNING);
    await lab.answer(await lab.pending(project, 'plan_review'), { decision: 'default' });
    const edit = await lab.pending(project, 'approval');
    expect(edit.request.tool).toBe('Write');
    await lab.answer(edit, { decision: 'deny', message: 'Not yet' });
    await run.end();
    expect(toStable(await lab.result('default', EXIT))).toBe(approved(PLAN));
    expect(await lab.result('default', EXIT + 1)).toBe('Not yet');
  });

  test('that is edited is the plan that Claude follows', async () => {
    const { lab, project } = await prepare('edited', false);
    const run = lab.host(project, 'edited', ...PLANNING);
    await lab.answer(await lab.pending(project, 'plan_review'), { decision: 'edit', editedPlan: '# Mine\n' });
    await run.end();
    expect(toStable(await lab.result('edited', EXIT))).toBe(approved('# Mine\n', ' (edited by user)'));
  });

  test('is sent back with feedback, word for word', async () => {
    const { lab, project } = await prepare('adjust', false);
    const run = lab.host(project, 'adjust', ...PLANNING);
    const asked = await lab.pending(project, 'plan_review');
    await lab.answer(asked, { decision: 'adjust', feedback: 'Please add tests to the plan' });
    await run.end();
    expect(lab.api.results('adjust').at(-1)).toMatchObject({ text: 'Please add tests to the plan', isError: true });
  });

  test('is found again when Beckon is killed in the middle and comes back', async () => {
    const { lab, project } = await prepare('killed', false);
    const run = lab.host(project, 'killed', ...PLANNING);
    const asked = await lab.pending(project, 'plan_review');
    await lab.kill();
    await lab.up();
    await lab.answer(asked, { decision: 'edit' });
    await run.end();
    expect(toStable(await lab.result('killed', EXIT))).toBe(approved(PLAN));
  });

  test('is accepted in Beckon while the terminal shows it: its dialog closes', async () => {
    const { lab, project } = await prepare('dialog', false);
    const tui = lab.tui(project, 'dialog', ...PLANNING);
    await tui.see(DIALOG);
    await lab.answer(await lab.pending(project, 'plan_review'), { decision: 'edit' });
    expect(toStable(await lab.result('dialog', EXIT))).toBe(approved(PLAN));
    await tui.see(/accept edits on/);
    tui.close();
  });

  test('is accepted in the terminal: the copies are closed as answered there', async () => {
    const { lab, project } = await prepare('terminal', false);
    const tui = lab.tui(project, 'terminal', ...PLANNING);
    await tui.see(DIALOG);
    const asked = await lab.pending(project, 'plan_review');
    await tui.end(DIALOG, 'Enter');
    expect(await lab.settled(asked)).toMatchObject({ status: 'answered', answeredBy: { via: 'terminal' } });
    expect(toStable(await lab.result('terminal', EXIT))).toBe(approved(PLAN));
    tui.close();
  });

  test('that nobody reviews in Beckon stays in the terminal', async () => {
    const { lab, project } = await prepare('nobody', false, '--timeout', '1s');
    const tui = lab.tui(project, 'nobody', ...PLANNING);
    await tui.see(DIALOG);
    expect(await lab.expired(project)).toMatchObject({ kind: 'plan_review', request: { plan: PLAN } });
    await tui.see(DIALOG);
    await tui.end(DIALOG, 'Enter');
    expect(toStable(await lab.result('nobody', EXIT))).toBe(approved(PLAN));
    tui.close();
  });

  test('that nobody reviews in Beckon is left to the host', async () => {
    const { lab, project } = await prepare('host', false, '--timeout', '1s');
    const run = lab.host(project, 'host', ...PLANNING);
    await lab.answerAsHost(run, lab.expired(project), { behavior: 'deny', message: 'The host says no' });
    await run.end();
    expect(lab.api.results('host').at(-1)).toEqual({ id: 'toolu_host_1_0', text: 'The host says no', isError: true });
  });

  test('is reviewed in the terminal while Beckon does not run', async () => {
    const { lab, project } = await prepare('down', false);
    await lab.kill();
    const tui = lab.tui(project, 'down', ...PLANNING);
    await tui.see(DIALOG);
    await tui.end(DIALOG, 'Enter');
    expect(toStable(await lab.result('down', EXIT))).toBe(approved(PLAN));
    tui.close();
    await lab.up();
  });

  async function prepare(scenario: string, edits = true, ...install: string[]): Promise<{ lab: Lab; project: string }> {
    const lab = use();
    const project = await lab.project(...install);
    const write = { tool: 'Write', input: { file_path: join(project, 'out.txt'), content: 'after plan\n' } };
    lab.api.script(scenario, [
      [{ tool: 'Write', input: { file_path: 'PLAN_FILE', content: PLAN } }],
      [{ tool: 'ExitPlanMode', input: {} }],
      ...(edits ? [[write]] : []),
    ]);
    return { lab, project };
  }

  /** The name of the plan's file is chosen by the client. */
  function toStable(text: string): string {
    return text.replaceAll(/\/\S+\/plans\/[\w-]+\.md/g, 'FILE');
  }

  function approved(plan: string, edited = ''): string {
    return (
      'User has approved your plan. You can now start coding. Start with updating your todo list if applicable\n\n' +
      'Your plan has been saved to: FILE\nYou can refer back to it if needed during implementation.\n\n' +
      `## Approved Plan${edited}:\n${plan}`
    );
  }
});
