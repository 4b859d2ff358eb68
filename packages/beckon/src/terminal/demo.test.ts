import { test } from 'vitest';
import { createTerminalConnector } from '../connectors/terminal/index.ts';
import { runConnector } from '../coordinator/run-connector.ts';
import { openBeckon } from '../open-beckon.ts';
import { createSqliteDatabase } from '../testing/harness/database.ts';
import { AT_ONCE, createFakeTerminal, KEYS } from '../testing/harness/terminal/fake-terminal.ts';

test('demo', async () => {
  const database = await createSqliteDatabase();
  const beckon = await openBeckon({ store: database.url });
  const [columns, rows] = (process.env['SIZE'] ?? '80x24').split('x').map(Number);
  const terminal = createFakeTerminal({ columns, rows });
  const { input, output } = terminal;
  const connector = createTerminalConnector({
    input,
    output,
    who: 'dev@laptop',
    keyTimes: AT_ONCE,
    readLog: async () => ['one', 'two'],
  });
  const running = await runConnector({ beckon, connector, onError: (e) => console.error(e) });
  const context = {
    project: 'webshop',
    folder: '/home/ada/webshop',
    branch: 'feature/currency',
    machine: 'ada-laptop',
    agent: 'Claude Code',
    title: "Convert the cart to the customer's currency",
    message: 'All tests pass. I will push so that the preview builds.',
    calls: [
      { tool: 'Bash', about: 'npm test', outcome: 'ok', ms: 12000 },
      { tool: 'Edit', about: 'src/cart/total.ts', outcome: 'denied' },
    ],
    conversation: [
      { by: 'person', text: 'Convert it' },
      { by: 'agent', text: 'I will.\nFirst the cart.' },
      { by: 'tool', text: 'ok' },
    ],
  };
  const base = { sessionId: 's1', askedBy: 'laptop', metadata: { agent: 'claude-code' }, context } as const;
  await beckon.ask({
    ...base,
    kind: 'approval',
    request: {
      tool: 'Bash',
      input: { command: 'git push --force origin HEAD:main', description: 'Push to production' },
    },
  } as never);
  const before = Array.from({ length: 40 }, (_, i) => `line ${i + 1}`).join('\n') + '\n';
  await beckon.ask({
    ...base,
    context: {
      ...context,
      files: [
        {
          path: '/home/ada/webshop/src/cart/total.ts',
          sha256: 'a'.repeat(64),
          lines: 40,
          before: [{ line: 1, text: before }],
        },
      ],
    },
    kind: 'approval',
    request: {
      tool: 'Edit',
      input: {
        file_path: '/home/ada/webshop/src/cart/total.ts',
        old_string: 'line 20\nline 21',
        new_string: 'line twenty  \n\tline 21\nline 22 and a half',
      },
    },
  } as never);
  const q = (question: string, header: string, labels: string[], more = {}) => ({
    ...base,
    kind: 'question',
    request: { question, header, options: labels.map((label) => ({ label, description: `The ${label}` })), ...more },
  });
  await beckon.askGroup([
    q('Which database?', 'Database', ['SQLite', 'Postgres']),
    q('Which region?', 'Region', ['eu', 'us']),
    q('Which caches?', 'Cache', ['a', 'b'], { multiSelect: true }),
    q('Which name?', 'Name', []),
  ] as never);
  await beckon.ask({
    ...base,
    kind: 'plan_review',
    request: { plan: '# Rate limits\n\n1. Do this\n2. Do that' },
  } as never);
  await beckon.ask({
    kind: 'approval',
    askedBy: 'api-box',
    request: { tool: 'mcp__github__create_issue', input: { owner: 'acme', title: 'It breaks', labels: ['bug'] } },
  } as never);
  await beckon.ask({
    kind: 'approval',
    askedBy: 'api-box',
    request: { tool: 'Bash', input: { command: 'npm test -- --run api' } },
  } as never);
  const show = async (label: string, keys = '') => {
    for (const key of keys.split(' ').filter(Boolean)) {
      terminal.press(
        key === 'ENTER'
          ? KEYS.enter
          : key === 'ESC'
            ? KEYS.escape
            : key === 'SP'
              ? ' '
              : key === 'RIGHT'
                ? '\u001b[C'
                : key,
      );
      await new Promise((r) => setTimeout(r, 60));
    }
    await new Promise((r) => setTimeout(r, 700));
    console.log(`=== ${label}\n${terminal.screen()}`);
  };
  for (const [label, keys] of JSON.parse(process.env['STEPS'] ?? '[]')) await show(label, keys);
  await running.stop();
  await beckon.close();
  await database.dispose();
}, 60000);
