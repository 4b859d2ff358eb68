import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { AnswerInput, Interaction } from '../../packages/beckon/src/index.ts';
import { CLAUDE, CLIENT_FOLDER } from './harness/client.ts';
import type { ClientRun } from './harness/lab.ts';
import { useLab } from './harness/use-lab.ts';

const child = fileURLToPath(new URL('harness/sdk-child.ts', import.meta.url));
const server = fileURLToPath(new URL('harness/mcp-server-child.ts', import.meta.url));
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
      mcpServers: { lab: { command: process.execPath, args: [server] } },
    };
    return lab.start(process.execPath, [child, JSON.stringify(options)], project);
  }

  async function answer(scenario: string, given: AnswerInput): Promise<void> {
    const lab = use();
    const asked = await lab.poll<Interaction>('something pending', async () => {
      const { items } = await lab.beckon.list({ status: 'pending', sessionId: scenario });
      return items[0];
    });
    await lab.answer(asked, given);
  }
});
