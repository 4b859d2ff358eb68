import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { AnswerInput, Interaction } from '../../packages/beckon/src/index.ts';
import { type ClientRun, MCP_SERVER } from '../clients/harness/base-lab.ts';
import { CLAUDE, CLIENT_FOLDER } from './harness/client.ts';
import { useLab } from './harness/use-lab.ts';

const child = fileURLToPath(new URL('harness/sdk-child.ts', import.meta.url));
const QUESTION = {
  question: 'Which database should we use?',
  header: 'Database',
  options: [
    { label: 'PostgreSQL', description: 'relational' },
    { label: 'SQLite', description: 'embedded' },
  ],
  multiSelect: false,
};

describe.runIf(CLAUDE !== null)('an agent of the Agent SDK', () => {
  const use = useLab();

  test('has its question answered in Beckon', async () => {
    use().api.script('sdk-ask', [[{ tool: 'AskUserQuestion', input: { questions: [QUESTION] } }]]);
    const run = start('sdk-ask');
    await answer('sdk-ask', { selected: ['SQLite'] });
    await run.end();
    expect(await use().result('sdk-ask')).toBe(
      'Your questions have been answered: "Which database should we use?"="SQLite". You can now continue with these answers in mind.',
    );
  });

  test('has the questions of one call answered together', async () => {
    const REGION = { ...QUESTION, question: 'Which region?', header: 'Region' };
    const lab = use();
    lab.api.script('sdk-group', [[{ tool: 'AskUserQuestion', input: { questions: [QUESTION, REGION] } }]]);
    const run = start('sdk-group');
    const { groupId = '' } = await pending('sdk-group');
    const { items } = await lab.beckon.list({ groupId, status: 'pending' });
    const answers = items.map(({ id }) => ({ id, answer: { selected: ['SQLite'] } }));
    expect(answers).toHaveLength(2);
    await lab.beckon.answerGroup(groupId, answers, { who: 'ana', via: 'inbox' });
    await run.end();
    expect(await lab.result('sdk-group')).toContain(
      '"Which database should we use?"="SQLite", "Which region?"="SQLite"',
    );
  });

  test('is told no if a file has changed since its call was shown', async () => {
    const lab = use();
    const path = join(lab.folder, 'sdk-file', 'note.txt');
    lab.api.script('sdk-file', [[{ tool: 'Write', input: { file_path: path, content: 'from the agent' } }]]);
    const run = start('sdk-file');
    const asked = await pending('sdk-file');
    expect(asked.context).toMatchObject({ project: 'sdk-file', files: [{ path, isNew: true, isSeen: true }] });
    writeFileSync(path, 'meanwhile');
    await lab.answer(asked, { decision: 'allow' });
    await run.end();
    expect(await lab.result('sdk-file')).toContain(`${path} was created after this call was asked`);
    expect(readFileSync(path, 'utf8')).toBe('meanwhile');
  });

  test('is allowed, and denied, a tool in Beckon', async () => {
    const call = { tool: 'Bash', input: { command: 'touch marker.txt && echo hi' } };
    use().api.script('sdk-bash', [[call], [call]]);
    const run = start('sdk-bash');
    await answer('sdk-bash', { decision: 'allow' });
    await use().result('sdk-bash', 1);
    await answer('sdk-bash', { decision: 'deny', message: 'Once is enough' });
    await run.end();
    expect(
      use()
        .api.results('sdk-bash')
        .map(({ text }) => text),
    ).toEqual(['hi', 'Once is enough']);
  });

  test('has its plan sent back, and then accepted, in Beckon', async () => {
    const exit = { tool: 'ExitPlanMode', input: {} };
    const plan = { tool: 'Write', input: { file_path: 'PLAN_FILE', content: '# The plan\n' } };
    use().api.script('sdk-plan', [[plan], [exit], [exit]]);
    const run = start('sdk-plan', 'plan');
    await answer('sdk-plan', { decision: 'adjust', feedback: 'Please add tests to the plan' });
    expect(await use().result('sdk-plan', 2)).toBe('Please add tests to the plan');
    await answer('sdk-plan', { decision: 'edit' });
    await run.end();
    const approved = await use().result('sdk-plan', 3);
    expect(approved.replace(/\/\S+\/plans\/[\w-]+\.md/, 'FILE')).toBe(
      'User has approved your plan. You can now start coding. Start with updating your todo list if applicable\n\n' +
        'Your plan has been saved to: FILE\nYou can refer back to it if needed during implementation.\n\n' +
        '## Approved Plan:\n# The plan\n',
    );
  });

  test('has the form of an MCP server filled in in Beckon', async () => {
    use().api.script('sdk-form', [[{ tool: 'mcp__lab__elicit', input: {} }]]);
    const run = start('sdk-form');
    await answer('sdk-form', { decision: 'allow' });
    await answer('sdk-form', { values: { name: 'Ada' } });
    await run.end();
    expect(await use().result('sdk-form')).toBe('{"action":"accept","content":{"name":"Ada"}}');
  });

  function start(scenario: string, mode = 'default'): ClientRun {
    const lab = use();
    const project = join(lab.folder, scenario);
    mkdirSync(project);
    const options = {
      sdk: join(CLIENT_FOLDER, 'node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs'),
      claude: CLAUDE,
      store: `sqlite:${join(lab.folder, 'beckon/beckon.db')}`,
      prompt: `SCENARIO:${scenario}`,
      mode,
      mcpServers: { lab: { command: process.execPath, args: [MCP_SERVER] } },
    };
    return lab.start(process.execPath, [child, JSON.stringify(options)], project);
  }

  function pending(scenario: string): Promise<Interaction> {
    const { beckon } = use();
    return use().poll<Interaction>('something pending', async () => {
      const { items } = await beckon.list({ status: 'pending', sessionId: scenario });
      return items[0];
    });
  }

  async function answer(scenario: string, given: AnswerInput): Promise<void> {
    await use().answer(await pending(scenario), given);
  }
});
