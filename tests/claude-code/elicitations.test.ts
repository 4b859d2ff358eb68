import { describe, expect, test } from 'vitest';
import type { Tui } from '../clients/harness/tui.ts';
import { CLAUDE } from './harness/client.ts';
import type { Lab } from './harness/lab.ts';
import { useLab } from './harness/use-lab.ts';

const DIALOG = /Need your name/;

describe.runIf(CLAUDE !== null)('a form of an MCP server', () => {
  const use = useLab();

  test('is filled in in Beckon', async () => {
    const { lab, project } = await prepare('filled');
    const run = lab.print(project, 'filled', ...lab.mcp(), '--allowedTools', 'mcp__lab__elicit');
    const asked = await lab.pending(project, 'form');
    expect(asked.request.message).toBe('Need your name');
    await lab.answer(asked, { values: { name: 'Ada', color: 'blue' } });
    await run.end();
    expect(await lab.result('filled')).toBe('{"action":"accept","content":{"name":"Ada","color":"blue"}}');
  });

  test('that nobody fills in is cancelled by Claude Code', async () => {
    const { lab, project } = await prepare('nobody', '--timeout', '1s');
    await lab.print(project, 'nobody', ...lab.mcp(), '--allowedTools', 'mcp__lab__elicit').end();
    expect(await lab.result('nobody')).toBe('{"action":"cancel"}');
    expect(await lab.expired(project)).toMatchObject({ kind: 'form' });
  });

  test('that is cancelled in Beckon is cancelled by Claude Code, where there is no terminal', async () => {
    const { lab, project } = await prepare('cancelled');
    const run = lab.print(project, 'cancelled', ...lab.mcp(), '--allowedTools', 'mcp__lab__elicit');
    await lab.beckon.cancel({ id: (await lab.pending(project, 'form')).id });
    await run.end();
    expect(await lab.result('cancelled')).toBe('{"action":"cancel"}');
  });

  test('is cancelled by Claude Code while Beckon does not run', async () => {
    const { lab, project } = await prepare('down');
    await lab.kill();
    await lab.print(project, 'down', ...lab.mcp(), '--allowedTools', 'mcp__lab__elicit').end();
    await lab.up();
    expect(await lab.result('down')).toBe('{"action":"cancel"}');
  });

  test('is found again when Beckon is killed in the middle and comes back', async () => {
    const { lab, project } = await prepare('killed');
    const run = lab.print(project, 'killed', ...lab.mcp(), '--allowedTools', 'mcp__lab__elicit');
    const asked = await lab.pending(project, 'form');
    await lab.kill();
    await lab.up();
    await lab.answer(asked, { values: { name: 'Ada' } });
    await run.end();
    expect(await lab.result('killed')).toBe('{"action":"accept","content":{"name":"Ada"}}');
  });

  test('is asked in the terminal, once it is cancelled in Beckon', async () => {
    const { lab, project } = await prepare('terminal');
    const tui = open(lab, project, 'terminal');
    const asked = await lab.pending(project, 'form');
    await lab.beckon.cancel({ id: asked.id });
    await tui.see(DIALOG);
    await tui.end(DIALOG, 'Escape');
    expect(await lab.result('terminal')).toBe('{"action":"cancel"}');
    tui.close();
  });

  test('that nobody fills in in Beckon is filled in in the terminal', async () => {
    const { lab, project } = await prepare('expired', '--timeout', '1s');
    const tui = open(lab, project, 'expired');
    expect(await lab.expired(project)).toMatchObject({ kind: 'form' });
    await fillIn(tui);
    expect(await lab.result('expired')).toBe('{"action":"accept","content":{"name":"Ada"}}');
    tui.close();
  });

  test('is filled in in the terminal while Beckon does not run', async () => {
    const { lab, project } = await prepare('alone');
    await lab.kill();
    const tui = open(lab, project, 'alone');
    await fillIn(tui);
    expect(await lab.result('alone')).toBe('{"action":"accept","content":{"name":"Ada"}}');
    tui.close();
    await lab.up();
  });

  function open(lab: Lab, project: string, scenario: string): Tui {
    const manual = ['--permission-mode', 'manual'];
    return lab.tui(project, scenario, ...manual, ...lab.mcp(), '--allowedTools=mcp__lab__elicit');
  }

  async function fillIn(tui: Tui): Promise<void> {
    await tui.see(DIALOG);
    tui.type('Ada');
    await tui.see(/Name: Ada/);
    // To the second field, then to "Accept".
    tui.press('Enter');
    await tui.see(/❯ +color/);
    tui.press('Down');
    await tui.see(/❯ Accept/);
    await tui.end(DIALOG, 'Enter');
  }

  async function prepare(scenario: string, ...install: string[]): Promise<{ lab: Lab; project: string }> {
    const lab = use();
    lab.api.script(scenario, [[{ tool: 'mcp__lab__elicit', input: {} }]]);
    return { lab, project: await lab.project(...install) };
  }
});
