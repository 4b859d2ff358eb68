import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LogEvent } from '../../packages/beckon/src/index.ts';
import { CLAUDE } from './harness/client.ts';
import type { Lab } from './harness/lab.ts';
import { useLab } from './harness/use-lab.ts';

const BASH = { command: 'touch marker.txt && echo hi', description: 'Say hi' };

describe.runIf(CLAUDE !== null)('a permission, without a terminal', () => {
  const use = useLab();

  test('is given in Beckon: the tool runs', async () => {
    const { lab, project } = await prepare('allow');
    const run = lab.print(project, 'allow');
    const asked = await lab.pending(project, 'approval');
    expect(asked.request).toMatchObject({ tool: 'Bash', input: BASH, description: 'Say hi' });
    await lab.answer(asked, { decision: 'allow' });
    expect(JSON.parse((await run.end()).stdout)).toMatchObject({ result: 'FINAL[hi]' });
    expect(lab.api.results('allow')).toEqual([{ id: 'toolu_allow_0_0', text: 'hi', isError: false }]);
    expect(existsSync(join(project, 'marker.txt'))).toBe(true);
  });

  test('is part of a session whose beginning and end are on the log', async () => {
    const { lab, project } = await prepare('session');
    const run = lab.print(project, 'session');
    await lab.answer(await lab.pending(project, 'approval'), { decision: 'allow' });
    const { session_id: sessionId } = JSON.parse((await run.end()).stdout) as { session_id: string };
    const found: LogEvent[] = [];
    for await (const event of lab.beckon.events({ after: 0, signal: AbortSignal.timeout(30_000) })) {
      if ('sessionId' in event && event.sessionId === sessionId && event.type.startsWith('session.')) found.push(event);
      if (found.length === 2) break;
    }
    expect(found).toMatchObject([{ type: 'session.started', conversationId: sessionId }, { type: 'session.ended' }]);
  });

  test('is denied in Beckon: the model reads why', async () => {
    const { lab, project } = await prepare('deny');
    const run = lab.print(project, 'deny');
    await lab.answer(await lab.pending(project, 'approval'), { decision: 'deny', message: 'Not on a Friday' });
    await run.end();
    expect(lab.api.results('deny')).toEqual([{ id: 'toolu_deny_0_0', text: 'Not on a Friday', isError: true }]);
    expect(existsSync(join(project, 'marker.txt'))).toBe(false);
  });

  test('is given for another input', async () => {
    const { lab, project } = await prepare('edited');
    const run = lab.print(project, 'edited');
    const asked = await lab.pending(project, 'approval');
    await lab.answer(asked, { decision: 'allow', updatedInput: { ...BASH, command: 'echo CHANGED' } });
    await run.end();
    expect(lab.api.results('edited')).toEqual([{ id: 'toolu_edited_0_0', text: 'CHANGED', isError: false }]);
  });

  test('is remembered: the same command is not asked again', async () => {
    const { lab, project } = await prepare('remember');
    const call = { tool: 'Bash', input: { command: 'node -p 6+7' } };
    lab.api.script('remember', [[call], [call]]);
    const run = lab.print(project, 'remember');
    await lab.answer(await lab.pending(project, 'approval'), { decision: 'allow', remember: true });
    await run.end();
    expect(lab.api.results('remember').map(({ text }) => text)).toEqual(['13', '13']);
    const settings = JSON.parse(readFileSync(join(project, '.claude/settings.local.json'), 'utf8'));
    expect(settings.permissions).toEqual({ allow: ['Bash(node -p 6+7)'] });
    expect(await asksOf(project)).toHaveLength(1);
  });

  test('is asked for each time, where it is not remembered', async () => {
    const { lab, project } = await prepare('again', 2);
    const run = lab.print(project, 'again');
    const first = await lab.pending(project, 'approval');
    await lab.answer(first, { decision: 'allow' });
    await lab.result('again', 1);
    await lab.answer(await lab.pending(project, 'approval'), { decision: 'deny', message: 'Once is enough' });
    await run.end();
    expect(lab.api.results('again').map(({ text }) => text)).toEqual(['hi', 'Once is enough']);
  });

  test('that nobody gives in time is not given', async () => {
    const { lab, project } = await prepare('nobody', 1, '--timeout', '1s');
    await lab.print(project, 'nobody').end();
    expectRefused(lab, 'nobody', project);
    expect((await asksOf(project)).map(({ status }) => status)).toEqual(['expired']);
  });

  test('is not given while Beckon does not run, and costs no time', async () => {
    const { lab, project } = await prepare('down');
    await lab.kill();
    await lab.print(project, 'down').end();
    await lab.up();
    expectRefused(lab, 'down', project);
  });

  test('is found again when Beckon is killed in the middle and comes back', async () => {
    const { lab, project } = await prepare('killed');
    const run = lab.print(project, 'killed');
    const asked = await lab.pending(project, 'approval');
    await lab.kill();
    await lab.up();
    await lab.answer(asked, { decision: 'allow' });
    await run.end();
    expect(lab.api.results('killed')).toEqual([{ id: 'toolu_killed_0_0', text: 'hi', isError: false }]);
    expect(await asksOf(project)).toHaveLength(1);
  });

  test('of two sessions at once goes to the one that asked', async () => {
    const one = await prepare('one');
    const two = await prepare('two');
    const { lab } = one;
    const runs = [lab.print(one.project, 'one'), lab.print(two.project, 'two')];
    await lab.answer(await lab.pending(two.project, 'approval'), { decision: 'deny', message: 'Not you' });
    await lab.answer(await lab.pending(one.project, 'approval'), { decision: 'allow' });
    await Promise.all(runs.map(({ end }) => end()));
    expect(lab.api.results('one').map(({ text }) => text)).toEqual(['hi']);
    expect(lab.api.results('two').map(({ text }) => text)).toEqual(['Not you']);
  });

  test('is asked for the tool of an MCP server too', async () => {
    const { lab, project } = await prepare('mcp');
    lab.api.script('mcp', [[{ tool: 'mcp__lab__ping', input: {} }]]);
    const run = lab.print(project, 'mcp', ...lab.mcp());
    const asked = await lab.pending(project, 'approval');
    expect(asked.request.tool).toBe('mcp__lab__ping');
    await lab.answer(asked, { decision: 'allow' });
    await run.end();
    expect(lab.api.results('mcp')).toEqual([{ id: 'toolu_mcp_0_0', text: 'pong', isError: false }]);
  });

  test('may come after the session has ended, which then goes on', async () => {
    const { lab, project } = await prepare('defer', 1, '--defer');
    const { stdout } = await lab.print(project, 'defer').end();
    const { stop_reason: reason, session_id: session } = JSON.parse(stdout);
    expect(reason).toBe('tool_deferred');
    const resumed = lab.cli(['claude', 'resume', session, '--claude', CLAUDE ?? ''], project);
    await lab.answer(await lab.pending(project, 'approval'), { decision: 'allow' });
    expect(JSON.parse((await resumed).stdout)).toMatchObject({ result: 'FINAL[hi]', session_id: session });
    expect(lab.api.results('defer')).toEqual([{ id: 'toolu_defer_0_0', text: 'hi', isError: false }]);
  });

  async function prepare(scenario: string, times = 1, ...install: string[]): Promise<{ lab: Lab; project: string }> {
    const lab = use();
    lab.api.script(
      scenario,
      Array.from({ length: times }, () => [{ tool: 'Bash', input: BASH }]),
    );
    return { lab, project: await lab.project(...install) };
  }

  async function asksOf(project: string) {
    const { items } = await use().beckon.list();
    return items.filter(({ metadata }) => metadata?.['cwd'] === project);
  }

  function expectRefused(lab: Lab, scenario: string, project: string): void {
    const text =
      `touch in '${project}/marker.txt' needs approval. The path is inside the working directories for this session ` +
      `('${project}'), and Claude Code asks before a shell command creates, changes or removes files there.`;
    expect(lab.api.results(scenario)).toEqual([{ id: `toolu_${scenario}_0_0`, text, isError: true }]);
  }
});
