import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Interaction, LogEvent } from '../../packages/beckon/src/index.ts';
import type { Step } from '../clients/harness/wire/wire.ts';
import { CLAUDE } from './harness/client.ts';
import type { Lab } from './harness/lab.ts';
import { useLab } from './harness/use-lab.ts';

const CART = 'export const rate = 1;\nexport const total = (n) => n * rate;\n';
const SECRET = `gh${'p_'}${'a1B2'.repeat(9)}`;

describe.runIf(CLAUDE !== null)('what surrounds a call of the real Claude Code', () => {
  const use = useLab();

  test('arrives with an Edit: place, title, message, calls before and the file as it is', async () => {
    const { lab, project, file } = await prepare('around', (path) => [
      [{ text: 'I look first.' }, { tool: 'Read', input: { file_path: path } }],
      [{ tool: 'Bash', input: { command: 'exit 3', description: `Fail with ${SECRET}` } }],
      [{ text: `Now I change it, without ${SECRET}.` }, edit(path)],
    ]);
    const run = lab.print(project, 'around');
    await lab.answer(await pendingOf(lab, project, 'Bash'), { decision: 'allow' });
    const asked = await pendingOf(lab, project, 'Edit');
    expect(asked.context).toEqual({
      project: basename(project),
      folder: project,
      root: project,
      branch: 'feature/currency',
      machine: hostname(),
      agent: 'Claude Code',
      title: 'SCENARIO:around',
      message: 'Now I change it, without ghp_…(masked).',
      files: [{ path: file, isSeen: true }],
      hasMore: true,
    });
    const full = await lab.beckon.context(asked.id);
    expect(full?.prompt).toBe('SCENARIO:around');
    expect(full?.calls).toMatchObject([
      { tool: 'Read', about: file, outcome: 'ok' },
      { tool: 'Bash', about: 'exit 3', outcome: 'failed' },
    ]);
    for (const { ms } of full?.calls ?? []) expect(ms).toBeGreaterThanOrEqual(0);
    expect(full?.conversation?.map(({ by }) => by)).toEqual(['person', 'agent', 'tool', 'tool', 'agent']);
    expect(full?.files).toMatchObject([{ path: file, lines: 2, before: [{ line: 1, text: CART }] }]);
    expect(JSON.stringify(full)).not.toContain(SECRET);
    await lab.answer(asked, { decision: 'allow' });
    await run.end();
    expect(readFileSync(file, 'utf8')).toContain('rate = 2');
  });

  test('a file that changed between the question and the allow is not edited, and Claude reads why', async () => {
    const { lab, project, file } = await prepare('changed', (path) => [
      [{ tool: 'Read', input: { file_path: path } }],
      [edit(path)],
    ]);
    const run = lab.print(project, 'changed');
    const asked = await pendingOf(lab, project, 'Edit');
    writeFileSync(file, `${CART}// somebody else was here\n`);
    await lab.answer(asked, { decision: 'allow' });
    await run.end();
    const reason = `${file} has changed after this call was asked, so what was allowed is not what would run.`;
    expect(lab.api.results('changed').at(-1)).toMatchObject({ isError: true, text: expect.stringContaining(reason) });
    expect(readFileSync(file, 'utf8')).toBe(`${CART}// somebody else was here\n`);
    expect(await withheldOf(lab, asked)).toMatchObject({ reason: expect.stringContaining(reason) });
  });

  test('a file that changed while the session was gone is not edited when it comes back', async () => {
    const { lab, project, file } = await prepare(
      'gone',
      (path) => [[{ tool: 'Read', input: { file_path: path } }], [edit(path)]],
      '--defer',
      'Edit',
    );
    const { stdout } = await lab.print(project, 'gone').end();
    const { session_id: session, stop_reason: stopped } = JSON.parse(stdout) as Record<string, string>;
    expect(stopped).toBe('tool_deferred');
    const asked = await pendingOf(lab, project, 'Edit');
    writeFileSync(file, `${CART}// somebody else was here\n`);
    await lab.answer(asked, { decision: 'allow' });
    await lab.cli(['claude', 'resume', session ?? '', '--claude', CLAUDE ?? ''], project);
    expect(readFileSync(file, 'utf8')).toBe(`${CART}// somebody else was here\n`);
    expect(lab.api.results('gone').at(-1)?.text).toContain('has changed after this call was asked');
    expect(await withheldOf(lab, asked)).toBeDefined();
  });

  test('is that of the agent inside which asks', async () => {
    const { lab, project } = await prepare('outer', () => [
      [
        { text: 'I send somebody.' },
        { tool: 'Agent', input: { description: 'Look', prompt: 'SCENARIO:inner', subagent_type: 'general-purpose' } },
      ],
    ]);
    lab.api.script('inner', [[{ text: 'I am inside.' }, { tool: 'Bash', input: { command: 'touch x' } }]]);
    const run = lab.print(project, 'outer');
    const asked = await pendingOf(lab, project, 'Bash');
    expect(asked.context).toMatchObject({ title: 'SCENARIO:outer', message: 'I am inside.' });
    await lab.answer(asked, { decision: 'deny', message: 'Come back' });
    await run.end();
  });

  test('a denial with a reason reaches the model', async () => {
    const { lab, project, file } = await prepare('denied', (path) => [
      [{ tool: 'Read', input: { file_path: path } }],
      [edit(path)],
    ]);
    const run = lab.print(project, 'denied');
    await lab.answer(await pendingOf(lab, project, 'Edit'), { decision: 'deny', message: 'Rates come from the bank' });
    await run.end();
    expect(lab.api.results('denied').at(-1)).toMatchObject({ text: 'Rates come from the bank', isError: true });
    expect(readFileSync(file, 'utf8')).toBe(CART);
  });

  async function prepare(
    scenario: string,
    toTurns: (file: string) => Step[][],
    ...install: string[]
  ): Promise<{ lab: Lab; project: string; file: string }> {
    const lab = use();
    const project = await lab.project(...install);
    const file = join(project, 'cart.js');
    writeFileSync(file, CART);
    mkdirSync(join(project, '.git'));
    writeFileSync(join(project, '.git', 'HEAD'), 'ref: refs/heads/feature/currency\n');
    lab.api.script(scenario, toTurns(file));
    return { lab, project, file };
  }
});

function edit(path: string): Step {
  return { tool: 'Edit', input: { file_path: path, old_string: 'rate = 1', new_string: 'rate = 2' } };
}

function pendingOf(lab: Lab, project: string, tool: string): Promise<Interaction> {
  return lab.poll(`a pending ${tool}`, async () => {
    const { items } = await lab.beckon.list({ status: 'pending', kind: 'approval' });
    return items.find(
      (item) => item.metadata?.['cwd'] === project && item.kind === 'approval' && item.request.tool === tool,
    );
  });
}

function withheldOf(lab: Lab, { id }: Interaction): Promise<LogEvent> {
  return lab.poll('a withheld allow on the log', async () => {
    for await (const event of lab.beckon.events({ after: 0, signal: AbortSignal.timeout(10_000) })) {
      if (event.type === 'interaction.withheld' && event.interactionId === id) return event;
    }
    return undefined;
  });
}
