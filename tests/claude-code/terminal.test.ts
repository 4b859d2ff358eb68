import { describe, expect, test } from 'vitest';
import { CLAUDE } from './harness/client.ts';
import type { Lab } from './harness/lab.ts';
import { useLab } from './harness/use-lab.ts';

const DIALOG = /Do you want to proceed/;
const MANUAL = ['--permission-mode', 'manual'];
const BASH = { command: 'touch marker.txt && echo hi', description: 'Say hi' };

describe.runIf(CLAUDE !== null)('a permission, on a terminal', () => {
  const use = useLab();

  test('is given in Beckon: the dialog closes, and the tool runs', async () => {
    const { lab, project } = await prepare('dialog');
    const tui = lab.tui(project, 'dialog', ...MANUAL);
    await tui.see(DIALOG);
    await lab.answer(await lab.pending(project, 'approval'), { decision: 'allow' });
    expect(await lab.result('dialog')).toBe('hi');
    await tui.see(/FINAL\[/);
    tui.close();
  });

  test('is denied in Beckon: the model reads why', async () => {
    const { lab, project } = await prepare('denied');
    const tui = lab.tui(project, 'denied', ...MANUAL);
    await tui.see(DIALOG);
    await lab.answer(await lab.pending(project, 'approval'), { decision: 'deny', message: 'Not on a Friday' });
    expect(await lab.result('denied')).toBe('Not on a Friday');
    tui.close();
  });

  test('is given in the terminal: the copies are closed as answered there', async () => {
    const { lab, project } = await prepare('yes');
    const tui = lab.tui(project, 'yes', ...MANUAL);
    await tui.see(DIALOG);
    const asked = await lab.pending(project, 'approval');
    await tui.end(DIALOG, 'Enter');
    expect(await lab.result('yes')).toBe('hi');
    expect(await lab.settled(asked)).toMatchObject({
      status: 'answered',
      answer: { decision: 'allow' },
      answeredBy: { via: 'terminal' },
    });
    tui.close();
  });

  test('is refused in the terminal: the copies are closed', async () => {
    const { lab, project } = await prepare('no');
    const tui = lab.tui(project, 'no', ...MANUAL);
    await tui.see(DIALOG);
    const asked = await lab.pending(project, 'approval');
    await tui.end(DIALOG, 'Escape');
    expect(await lab.settled(asked)).toMatchObject({ status: 'superseded' });
    tui.close();
  });

  test('that nobody gives in Beckon in time stays in the terminal', async () => {
    const { lab, project } = await prepare('nobody', '--timeout', '1s');
    const tui = lab.tui(project, 'nobody', ...MANUAL);
    await tui.see(DIALOG);
    expect(await lab.expired(project)).toMatchObject({ kind: 'approval', request: { tool: 'Bash', input: BASH } });
    await tui.see(DIALOG);
    await tui.end(DIALOG, 'Enter');
    expect(await lab.result('nobody')).toBe('hi');
    tui.close();
  });

  test('is asked in the terminal while Beckon does not run', async () => {
    const { lab, project } = await prepare('down');
    await lab.kill();
    const tui = lab.tui(project, 'down', ...MANUAL);
    await tui.see(DIALOG);
    await tui.end(DIALOG, 'Enter');
    expect(await lab.result('down')).toBe('hi');
    tui.close();
    await lab.up();
  });

  test('stays in the terminal when Beckon goes away in the middle', async () => {
    const { lab, project } = await prepare('away', '--timeout', '2s');
    const tui = lab.tui(project, 'away', ...MANUAL);
    await tui.see(DIALOG);
    await lab.kill();
    await tui.end(DIALOG, 'Enter');
    expect(await lab.result('away')).toBe('hi');
    tui.close();
    await lab.up();
  });

  test('a session that ends takes its question along', async () => {
    const { lab, project } = await prepare('ended');
    const tui = lab.tui(project, 'ended', ...MANUAL);
    await tui.see(DIALOG);
    const asked = await lab.pending(project, 'approval');
    tui.close();
    expect(await lab.settled(asked)).toMatchObject({ status: 'superseded' });
  });

  async function prepare(scenario: string, ...install: string[]): Promise<{ lab: Lab; project: string }> {
    const lab = use();
    lab.api.script(scenario, [
      [{ tool: 'Bash', input: BASH }],
      // The hook after a tool runs beside the session: it has come before the session goes on to its end.
      [{ tool: 'Bash', input: { command: 'sleep 1' } }],
    ]);
    return { lab, project: await lab.project(...install) };
  }
});
