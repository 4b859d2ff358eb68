import { describe, expect, test } from 'vitest';
import { CLAUDE } from './harness/client.ts';
import type { Lab } from './harness/lab.ts';
import { useLab } from './harness/use-lab.ts';

const DATABASE = {
  question: 'Which database should we use?',
  header: 'Database',
  options: [
    { label: 'PostgreSQL', description: 'relational' },
    { label: 'SQLite', description: 'embedded' },
  ],
  multiSelect: false,
};
const FEATURES = {
  question: 'Which features do you want to enable?',
  header: 'Features',
  options: [
    { label: 'Auth', description: 'login' },
    { label: 'Billing', description: 'money' },
    { label: 'Search', description: 'find' },
  ],
  multiSelect: true,
};
const REGION = {
  question: 'Which region?',
  header: 'Region',
  options: [
    { label: 'eu', description: 'in Frankfurt' },
    { label: 'us', description: 'in Oregon' },
  ],
  multiSelect: false,
};
const DIALOG = /Enter to select/;
const MANUAL = ['--permission-mode', 'manual'];

describe.runIf(CLAUDE !== null)('questions', () => {
  const use = useLab();

  test('of one call are asked together, and answered in one commit, with several choices', async () => {
    const { lab, project } = await prepare('several', [DATABASE, FEATURES]);
    const run = lab.host(project, 'several');
    const [first, second] = await lab.steps(project);
    expect(first).toMatchObject({ request: DATABASE, metadata: { step: 1, steps: 2 } });
    expect(second).toMatchObject({ request: FEATURES, groupId: first?.groupId, metadata: { step: 2, steps: 2 } });
    const answers = [
      { id: second!.id, answer: { selected: ['Auth', 'Search'] } },
      { id: first!.id, answer: { selected: ['SQLite'] } },
    ];
    const given = await lab.beckon.answerGroup(first!.groupId!, answers, { who: 'ana', via: 'inbox' });
    expect(given).toMatchObject({ result: 'accepted' });
    await run.end();
    expect(await lab.result('several')).toBe(
      'Your questions have been answered: "Which database should we use?"="SQLite", ' +
        '"Which features do you want to enable?"="Auth, Search". You can now continue with these answers in mind.',
    );
  });

  test('of which only some were answered in time are denied, and Claude Code hears which', async () => {
    const { lab, project } = await prepare('some', [DATABASE, FEATURES], '--timeout', '10s');
    const run = lab.host(project, 'some');
    const [first] = await lab.steps(project);
    await lab.answer(first!, { selected: ['SQLite'] });
    await run.end();
    expect(await lab.result('some')).toContain(
      'Nobody answered 1 of 2 questions in time: Features. Answered: Database = SQLite. Ask again only what is open.',
    );
  });

  test('are answered in Beckon in own words', async () => {
    const { lab, project } = await prepare('words', [DATABASE]);
    const run = lab.host(project, 'words');
    await lab.answer(await lab.pending(project, 'question'), { text: 'None yet, keep it in memory' });
    await run.end();
    expect(await lab.result('words')).toBe(
      'The user answered: "Which database should we use?"="None yet, keep it in memory". Read the answers carefully — they may ' +
        'request clarification, changes, or that you not proceed — and follow what they actually say.',
    );
  });

  test('are found again when Beckon is killed in the middle and comes back', async () => {
    const { lab, project } = await prepare('killed', [DATABASE, FEATURES]);
    const run = lab.host(project, 'killed');
    const [first, second] = await lab.steps(project);
    await lab.answer(first!, { text: 'SQLite' });
    await lab.kill();
    await lab.up();
    await lab.answer(second!, { selected: ['Billing'] });
    await run.end();
    expect(await lab.result('killed')).toBe(
      'Your questions have been answered: "Which database should we use?"="SQLite", ' +
        '"Which features do you want to enable?"="Billing". You can now continue with these answers in mind.',
    );
  });

  test('are answered in Beckon while the terminal shows them: its dialog closes', async () => {
    const { lab, project } = await prepare('dialog', [DATABASE]);
    const tui = lab.tui(project, 'dialog', ...MANUAL);
    await tui.see(DIALOG);
    await lab.answer(await lab.pending(project, 'question'), { selected: ['SQLite'] });
    expect(await lab.result('dialog')).toBe(
      'Your questions have been answered: "Which database should we use?"="SQLite". You can now continue with these answers in mind.',
    );
    await tui.see(/FINAL\[/);
    tui.close();
  });

  test('are answered in the terminal: the copies are closed as answered there', async () => {
    const { lab, project } = await prepare('terminal', [DATABASE]);
    const tui = lab.tui(project, 'terminal', ...MANUAL);
    await tui.see(DIALOG);
    const asked = await lab.pending(project, 'question');
    await tui.end(DIALOG, 'Enter');
    expect(await lab.result('terminal')).toBe(
      'Your questions have been answered: "Which database should we use?"="PostgreSQL". You can now continue with these answers in mind.',
    );
    expect(await lab.settled(asked)).toMatchObject({
      status: 'answered',
      answer: { selected: ['PostgreSQL'] },
      answeredBy: { via: 'terminal' },
    });
    tui.close();
  });

  test('of one call are answered in the terminal: all copies are closed as answered there', async () => {
    const { lab, project } = await prepare('tabs', [DATABASE, REGION]);
    const tui = lab.tui(project, 'tabs', ...MANUAL);
    await tui.see(/relational/);
    const asked = await lab.steps(project);
    expect(asked).toHaveLength(2);
    await tui.end(/relational/, 'Enter');
    await tui.see(/in Frankfurt/);
    await tui.end(/in Frankfurt/, 'Enter');
    await tui.see(/Submit answers/);
    await tui.end(/Submit answers/, 'Enter');
    expect(await lab.result('tabs')).toBe(
      'Your questions have been answered: "Which database should we use?"="PostgreSQL", "Which region?"="eu". ' +
        'You can now continue with these answers in mind.',
    );
    const settled = await Promise.all(asked.map((one) => lab.settled(one)));
    expect(settled).toMatchObject([
      { answer: { selected: ['PostgreSQL'] }, answeredBy: { via: 'terminal' } },
      { answer: { selected: ['eu'] }, answeredBy: { via: 'terminal' } },
    ]);
    tui.close();
  });

  test('that are dismissed in the terminal are no longer asked', async () => {
    const { lab, project } = await prepare('dismissed', [DATABASE, FEATURES]);
    const tui = lab.tui(project, 'dismissed', ...MANUAL);
    await tui.see(DIALOG);
    const asked = await lab.steps(project);
    expect(asked).toHaveLength(2);
    await tui.end(DIALOG, 'Escape');
    for (const one of asked) expect(await lab.settled(one)).toMatchObject({ status: 'superseded' });
    tui.close();
  });

  test('that nobody answers in Beckon stay in the terminal', async () => {
    const { lab, project } = await prepare('nobody', [DATABASE], '--timeout', '1s');
    const tui = lab.tui(project, 'nobody', ...MANUAL);
    await tui.see(DIALOG);
    expect(await lab.expired(project)).toMatchObject({ kind: 'question', request: DATABASE });
    await tui.see(DIALOG);
    tui.press('Down');
    await tui.see(/❯ 2\. SQLite/);
    await tui.end(DIALOG, 'Enter');
    expect(await lab.result('nobody')).toBe(
      'Your questions have been answered: "Which database should we use?"="SQLite". You can now continue with these answers in mind.',
    );
    tui.close();
  });

  test('that nobody answers in Beckon are left to the host', async () => {
    const { lab, project } = await prepare('host', [DATABASE], '--timeout', '1s');
    const run = lab.host(project, 'host');
    const answers = { [DATABASE.question]: 'SQLite' };
    const input = { questions: [DATABASE], answers };
    await lab.answerAsHost(run, lab.expired(project), { behavior: 'allow', updatedInput: input });
    await run.end();
    expect(await lab.result('host')).toBe(
      'Your questions have been answered: "Which database should we use?"="SQLite". You can now continue with these answers in mind.',
    );
  });

  test('are asked in the terminal while Beckon does not run', async () => {
    const { lab, project } = await prepare('down', [DATABASE]);
    await lab.kill();
    const tui = lab.tui(project, 'down', ...MANUAL);
    await tui.see(DIALOG);
    await tui.end(DIALOG, 'Enter');
    expect(await lab.result('down')).toBe(
      'Your questions have been answered: "Which database should we use?"="PostgreSQL". You can now continue with these answers in mind.',
    );
    tui.close();
    await lab.up();
  });

  async function prepare(
    scenario: string,
    questions: object[],
    ...install: string[]
  ): Promise<{ lab: Lab; project: string }> {
    const lab = use();
    lab.api.script(scenario, [[{ tool: 'AskUserQuestion', input: { questions } }]]);
    return { lab, project: await lab.project(...install) };
  }
});
