import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runConnector } from '../../coordinator/run-connector.ts';
import type { Beckon } from '../../core/beckon.ts';
import { openBeckon } from '../../open-beckon.ts';
import type { ContextInput } from '../../protocol/context.ts';
import type { AskInput, Interaction } from '../../protocol/interaction.ts';
import { LocalHistory } from '../../runtime/local-history.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import { createSqliteDatabase, type TestDatabase } from '../../testing/harness/database.ts';
import { AT_ONCE, createFakeTerminal, type FakeTerminal, KEYS } from '../../testing/harness/terminal/fake-terminal.ts';
import { until } from '../../testing/suites/until.ts';
import { createTerminalConnector, type TerminalOptions } from './terminal-connector.ts';

const { enter, down, escape } = KEYS;
const RIGHT = '\u001b[C';
const LEFT = '\u001b[D';
const SHOP: ContextInput = {
  project: 'webshop',
  folder: '/home/ada/webshop',
  branch: 'feature/currency',
  agent: 'Claude Code',
  machine: 'ada-laptop',
  title: 'Convert the cart',
};

let database: TestDatabase;
let beckon: Beckon;
let terminal: FakeTerminal;
let stop: () => Promise<void>;

beforeEach(async () => {
  database = await createSqliteDatabase();
  beckon = await openBeckon({ store: database.url });
  terminal = createFakeTerminal();
});
afterEach(async () => {
  await stop();
  await beckon.close();
  await database.dispose();
});

async function start(options: Partial<TerminalOptions> = {}): Promise<void> {
  const { input, output } = terminal;
  const connector = createTerminalConnector({ input, output, who: 'dev@laptop', keyTimes: AT_ONCE, ...options });
  const running = await runConnector({ beckon, connector, onError: () => undefined });
  stop = () => running.stop();
}

function call(tool: string, input: object, context: ContextInput = SHOP): Promise<Interaction> {
  return beckon.ask({
    kind: 'approval',
    request: { tool, input },
    context,
    sessionId: 's1',
    askedBy: 'laptop',
  } as AskInput);
}

const bash = (command: string, context?: ContextInput): Promise<Interaction> => call('Bash', { command }, context);

/** Waits until the screen is as it should be: earlier screens do not count. */
const see = (pattern: RegExp): Promise<void> => until(() => expect(terminal.screen()).toMatch(pattern));

describe('what a request shows', () => {
  test('a command says where it comes from, who asked, why, and what was done before', async () => {
    const calls = [
      { tool: 'Bash', about: 'npm test', outcome: 'ok', ms: 12_000 },
      { tool: 'Edit', about: 'total.ts', outcome: 'denied' },
    ] as const;
    await call(
      'Bash',
      { command: 'git push\ngit status', description: 'Push it' },
      { ...SHOP, message: 'All tests pass.', calls: [...calls] },
    );
    await start();
    await see(
      /webshop {2}feature\/currency +1\n {3}laptop · Convert the cart\n> 1 {3}\$ Push it · git push ↵ git status/,
    );
    terminal.press(enter);
    await see(/Why/);
    expect(terminal.screen()).toMatch(
      new RegExp(
        [
          '^webshop · feature/currency · Claude Code · ada-laptop',
          '“Convert the cart”',
          'Asked by laptop',
          '',
          'Push it · git push ↵ git status',
          '',
          'Bash',
          '\\$ git push',
          '\\| git status',
          '  description  Push it',
          '',
          'Why     All tests pass\\.',
          'Before  ✓ Bash npm test \\(12s\\)',
          '        ✗ Edit total\\.ts \\(denied\\)\n',
        ].join('\n'),
      ),
    );
  });

  test('an edit is a diff with line numbers, surroundings and visible spaces, and "o" shows all that is known', async () => {
    const path = '/home/ada/webshop/src/total.ts';
    const text = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`).join('');
    const files = [{ path, sha256: 'a'.repeat(64), lines: 30, before: [{ line: 1, text }] }];
    const input = { file_path: path, old_string: 'line 15\n', new_string: '\tline fifteen  \n' };
    await call('Edit', input, { ...SHOP, files });
    await start();
    await see(/± Edit src\/total\.ts +\+1 -1/);
    terminal.press(enter);
    await see(
      /src\/total\.ts {2}edited {2}\+1 -1\n {2}12 {3}line 12\n[^]* {2}15 - line 15\n {2}15 \+ → line fifteen··\n/,
    );
    expect(terminal.screen()).not.toContain('line 11');
    terminal.press('o');
    await see(/ {2}1 {3}line 1\n/);
  });

  test.each([
    ['a new file', null, 'new file'],
    ['a file that is there', 'a'.repeat(64), 'overwritten'],
  ])('%s is named as one when it is written', async (_, sha256, state) => {
    const path = '/home/ada/webshop/a.txt';
    const before = sha256 === null ? {} : { lines: 1, before: [{ line: 1, text: 'old\n' }] };
    await call('Write', { file_path: path, content: 'new\n' }, { ...SHOP, files: [{ path, sha256, ...before }] });
    await start();
    await see(/1 waiting/);
    terminal.press(enter);
    await see(new RegExp(`a\\.txt {2}${state} {2}\\+1 -${sha256 === null ? 0 : 1}`));
  });

  test('the tool of a server is a table of server, tool and arguments', async () => {
    await call('mcp__github__create_issue', { title: 'It breaks', labels: ['bug'] });
    await start();
    await see(/GitHub: create issue: It breaks/);
    terminal.press(enter);
    await see(
      /Server {2}GitHub\nTool {4}create issue \(mcp__github__create_issue\)\n {2}title {3}It breaks\n {2}labels {2}\["bug"\]/,
    );
  });

  test('escape sequences in context, files and the conversation are made visible', async () => {
    const evil = 'a\u001b]0;owned\u0007\u202eb';
    const context: ContextInput = {
      ...SHOP,
      project: evil,
      message: evil,
      calls: [{ tool: evil, about: evil }],
      conversation: [{ by: 'agent', text: evil }],
      files: [{ path: `/${evil}`, sha256: 'a'.repeat(64), lines: 1, before: [{ line: 1, text: `${evil}\n` }] }],
    };
    await call('Edit', { file_path: `/${evil}`, old_string: evil, new_string: `${evil}c` }, context);
    await start();
    await see(/1 waiting/);
    terminal.press(enter);
    await see(/Why/);
    terminal.press('c');
    await see(/Conversation/);
    for (const hidden of ['\u001b]0;', '\u0007', '\u202e']) expect(terminal.written()).not.toContain(hidden);
  });
});

describe('keys in a request', () => {
  test('r denies with a reason, and the next request opens with what was decided', async () => {
    const first = await bash('rm -rf build');
    await bash('npm test');
    await start();
    await see(/2 waiting/);
    terminal.press(enter);
    await see(/Bash\n\$ rm -rf build/);
    terminal.press('r');
    await see(/Why not\?/);
    terminal.press(`not on a Friday${enter}`);
    expect(await beckon.wait(first.id)).toMatchObject({ answer: { decision: 'deny', message: 'not on a Friday' } });
    await see(/\$ npm test[^]*✗ rm -rf build - Denied by dev@laptop in the terminal: not on a Friday/);
  });

  test('a command is edited as a text, and the change is shown before it is sent', async () => {
    const given: string[] = [];
    const asked = await call('Bash', { command: 'rm -rf build\nnpm test', timeout: 5 });
    await start({
      editText: async (text, fileName) => {
        given.push(`${fileName}: ${text}`);
        return `${text.replace('rm -rf', 'ls')}\n`;
      },
    });
    await see(/1 waiting/);
    terminal.press(enter);
    await see(/y allow/);
    terminal.press('e');
    await see(/Your changes[^]*1 - rm -rf build[^]*1 \+ ls build[^]*\$ ls build\n\| npm test[^]*y allow, as edited/);
    terminal.press('y');
    expect(await beckon.wait(asked.id)).toMatchObject({
      answer: { decision: 'allow', updatedInput: { command: 'ls build\nnpm test', timeout: 5 } },
    });
    expect(given).toEqual(['command.sh: rm -rf build\nnpm test']);
  });

  test('what has not been on the screen is not allowed by one key', async () => {
    const asked = await bash(Array.from({ length: 60 }, (_, index) => `echo ${index}`).join('\n'));
    await start();
    await see(/1 waiting/);
    terminal.press(enter);
    await see(/more below/);
    terminal.press('y');
    await see(/lines have not been on the screen[^]*enter: allow anyway/);
    terminal.press('y');
    await see(/y allow/);
    for (const _ of [1, 2, 3]) terminal.press(' ');
    await see(/echo 59/);
    terminal.press('y');
    expect(await beckon.wait(asked.id)).toMatchObject({ answer: { decision: 'allow' } });
  });

  test('m shows the rule, and Enter sends it', async () => {
    const asked = await beckon.ask({
      kind: 'approval',
      request: {
        tool: 'Bash',
        input: { command: 'npm test' },
        suggestions: [
          { type: 'addRules', behavior: 'allow', rules: [{ toolName: 'Bash', ruleContent: 'npm test:*' }] },
          { type: 'setMode', mode: 'acceptEdits' },
        ],
      },
    });
    await start();
    await see(/1 waiting/);
    terminal.press(enter);
    await see(/y allow/);
    terminal.press('m');
    await see(/Allow Bash\(npm test:\*\)\n\{"type":"setMode","mode":"acceptEdits"\}\nenter: allow from now on/);
    terminal.press(enter);
    expect(await beckon.wait(asked.id)).toMatchObject({ answer: { decision: 'allow', remember: true } });
  });

  test('j and k go to the next and the previous request, c, l and ? open what one reads', async () => {
    await bash('first', {
      ...SHOP,
      conversation: [
        { by: 'person', text: 'Do it.' },
        { by: 'agent', text: 'Sure.\nAt once.' },
      ],
    });
    await bash('second');
    await start({ readLog: async (id) => [`#1 ${id}`] });
    await see(/2 waiting/);
    terminal.press(enter);
    await see(/Bash\n\$ first[^]*c conversation\nl log/);
    terminal.press('c');
    await see(/Conversation\nYou {4}Do it\.\n\nAgent {2}Sure\.\n {7}At once\.\n/);
    terminal.press('q');
    await see(/Bash\n\$ first/);
    terminal.press('l');
    await see(/Log\n#1 int_/);
    terminal.press(escape);
    await see(/Bash\n\$ first/);
    terminal.press('?');
    await see(/Keys\nIn a request/);
    terminal.press('q');
    await see(/Bash\n\$ first/);
    terminal.press('j');
    await see(/Bash\n\$ second/);
    terminal.press('c');
    await see(/sent nothing of the conversation/);
    terminal.press('q');
    await see(/Bash\n\$ second/);
    terminal.press('k');
    await see(/Bash\n\$ first/);
    terminal.press(escape);
    await see(/2 waiting/);
  });
});

describe('the questions of one call', () => {
  const ask = (header: string, labels: string[], more = {}): AskInput =>
    ({
      kind: 'question',
      request: { question: `${header}?`, header, options: labels.map((label) => ({ label })), ...more },
      context: SHOP,
    }) as AskInput;
  const FOUR = [
    ask('Database', ['SQLite', 'Postgres']),
    ask('Region', ['eu', 'us']),
    ask('Cache', ['redis', 'none'], { multiSelect: true }),
    ask('Name', []),
  ];

  test('are tabs; numbers and Enter go on, and all answers are sent together from the review', async () => {
    const asked = await beckon.askGroup(FOUR);
    await start();
    await see(/1 waiting[^]*4 questions/);
    terminal.press(enter);
    await see(/\[Database\] │ Region │ Cache │ Name │ Send/);
    terminal.press('2');
    await see(/Database ✓ │ \[Region\] │ Cache/);
    terminal.press('1');
    await see(/Region ✓ │ \[Cache\]/);
    terminal.press('12');
    await see(/☒ redis[^]*☒ none/);
    terminal.press(enter);
    await see(/Cache ✓ │ \[Name\] │ Send/);
    terminal.press(enter);
    await see(/Name\?[^]*└/);
    terminal.press(`shop${enter}`);
    await see(/\[Send\][^]*Database\n {2}Database\?\n {2}Postgres[^]*redis, none[^]*shop[^]*enter: send all/);
    for (const { id } of asked) expect(await beckon.get(id)).toMatchObject({ status: 'pending' });
    terminal.press(enter);
    await see(/nothing waiting/);
    const answers = await Promise.all(asked.map(async ({ id }) => (await beckon.wait(id)).answer));
    expect(answers).toMatchObject([
      { text: 'Postgres' },
      { text: 'eu' },
      { selected: ['redis', 'none'] },
      { text: 'shop' },
    ]);
    const { items } = await beckon.list({ status: 'answered' });
    expect(new Set(items.map(({ settledAt }) => settledAt)).size).toBe(1);
  });

  test('are gone through back and forth, keep their drafts, and the review leads to the open one', async () => {
    await beckon.askGroup(FOUR.slice(0, 3));
    await start();
    await see(/1 waiting/);
    terminal.press(enter);
    await see(/\[Database\]/);
    terminal.press('2');
    await see(/\[Region\]/);
    terminal.press(LEFT);
    await see(/\[Database ✓\][^]*2 ● Postgres/);
    terminal.press(`1`);
    await see(/\[Region\]/);
    terminal.press(RIGHT + RIGHT);
    await see(/\[Send\][^]*SQLite[^]*open[^]*enter: the open question/);
    terminal.press(enter);
    await see(/\[Region\]/);
    terminal.press(escape);
    await see(/1 waiting/);
    terminal.press(enter);
    await see(/Database ✓ │ \[Region\]/);
  });

  test('that were answered in part elsewhere close, and the rest is asked with its drafts', async () => {
    const [first, second] = await beckon.askGroup(FOUR.slice(0, 3));
    await start();
    await see(/1 waiting/);
    terminal.press(enter);
    await see(/\[Database\]/);
    terminal.press(RIGHT);
    await see(/\[Region\]/);
    terminal.press('2');
    await see(/\[Cache\]/);
    await beckon.answer(String(first?.id), { text: 'SQLite' }, { who: 'ada', via: 'telegram' });
    await see(/Answered by ada in Telegram: SQLite/);
    terminal.press(enter);
    await see(/1 waiting[^]*2 questions/);
    terminal.press(enter);
    await see(/Region ✓ │ \[Cache\] │ Send/);
    expect(await beckon.get(String(second?.id))).toMatchObject({ status: 'pending' });
  });
});

describe('the list', () => {
  test('folds a group and goes from group to group', async () => {
    await bash('one');
    await bash('two');
    await bash('three', { ...SHOP, project: 'api' });
    await start();
    await see(/3 waiting/);
    terminal.press('J');
    await see(/> 3 {3}\$ three/);
    terminal.press('K');
    await see(/> 1 {3}\$ one/);
    terminal.press(' ');
    await see(/>▸ webshop {2}feature\/currency +2\n ▾ api/);
    terminal.press(enter);
    await see(/> 1 {3}\$ one/);
    terminal.press(LEFT);
    await see(/>▸ webshop/);
    terminal.press(RIGHT);
    await see(/ ▾ webshop/);
  });

  test('searches while one types, and Esc shows all again', async () => {
    await bash('npm test');
    await bash('git push');
    await start();
    await see(/2 waiting/);
    terminal.press('/');
    terminal.press('quit pusx');
    await see(/nothing waiting\n\/quit pusx█/);
    terminal.press('\u007f'.repeat(9));
    terminal.press('PUSH');
    await see(/1 waiting\n\/PUSH█[^]*\$ git push/);
    terminal.press(enter);
    await see(/\/PUSH\n/);
    terminal.press(escape);
    await see(/2 waiting/);
  });

  test('decides about what is marked in one commit, each listed before, and one that was settled meanwhile says so', async () => {
    const asked = [await bash('npm test'), await bash('npm run build'), await bash('npm run lint'), await bash('ls')];
    await start();
    await see(/4 waiting/);
    terminal.press('x');
    terminal.press(`${down}x`);
    terminal.press(`${down}x${down}x`);
    await see(/y allow 4/);
    terminal.press('y');
    await see(/Allow these 4\?\n\n> npm test \(webshop · feature\/currency[^]*npm run build[^]*npm run lint[^]*ls \(/);
    terminal.press(`${down}${down}${down}x`);
    await see(/Allow these 3\?/);
    await beckon.answer(String(asked[2]?.id), { decision: 'deny' }, { who: 'ada', via: 'inbox' });
    terminal.press(enter);
    for (const { id } of asked.slice(0, 2)) {
      expect(await beckon.wait(id)).toMatchObject({ answer: { decision: 'allow' } });
    }
    await see(/1 waiting[^]*✓ npm run build - Allowed by dev@laptop in the terminal[^]*✗ npm run lint - Denied by ada/);
    expect(await beckon.get(String(asked[3]?.id))).toMatchObject({ status: 'pending' });
  });

  test('denies what is marked with one reason', async () => {
    const asked = [await bash('npm test'), await bash('ls')];
    await start();
    await see(/2 waiting/);
    terminal.press(`x${down}xr`);
    await see(/Why not\? All 2 agents read this\./);
    terminal.press(`later${enter}`);
    await see(/Deny these 2\?\nBecause {2}later/);
    terminal.press(enter);
    for (const { id } of asked) {
      expect(await beckon.wait(id)).toMatchObject({ answer: { decision: 'deny', message: 'later' } });
    }
  });

  test('marks what is alike, from the list and from a request, and only approvals', async () => {
    await bash('npm test -- --run api');
    await bash('npm test -- --run web');
    await bash('rm -rf /');
    await beckon.ask({
      kind: 'question',
      request: { question: 'Why?' },
      context: SHOP,
      sessionId: 's1',
      askedBy: 'laptop',
    });
    await start();
    await see(/4 waiting/);
    terminal.press('a');
    await see(/1 ✔ \$ npm test[^]*2 ✔ \$ npm test[^]*3 {3}\$ rm[^]*y allow 2/);
    terminal.press(escape);
    await see(/enter opens/);
    terminal.press(enter);
    await see(/a 2 like this/);
    terminal.press('a');
    await see(/y allow 2/);
    terminal.press(`${escape}`);
    await see(/enter opens/);
    terminal.press(`${down}${down}${down}x`);
    await see(/Only approvals can be decided together/);
  });

  test('snoozes a request for this person, and says how many are hidden', async () => {
    const first = await bash('npm test');
    await bash('ls');
    const history = new LocalHistory({ store: await database.open(), clock: systemClock, who: 'dev@laptop' });
    await history.rename('s1', 'A better title');
    await start({ history });
    await see(/2 waiting[^]*laptop · A better title/);
    terminal.press('s');
    await see(/Hide it from you until:[^]*2 in 1 hour/);
    terminal.press('2');
    await see(/1 waiting[^]*1 snoozed[^]*Snoozed until/);
    expect(await history.snoozes()).toMatchObject([{ interactionId: first.id }]);
    terminal.press(enter);
    await see(/“A better title”[^]*Bash\n\$ ls[^]*s snooze/);
  });
});

test('at 60 columns and 12 rows a request is read and decided', async () => {
  terminal = createFakeTerminal({ columns: 60, rows: 12 });
  const asked = await bash('npm run a-command-that-is-longer-than-sixty-columns-are-wide -- --with --options');
  await start();
  await see(/1 waiting/);
  terminal.press(enter);
  await see(/more below/);
  for (const _ of [1, 2, 3]) terminal.press(' ');
  await see(/--options[^]*y allow/);
  for (const line of terminal.screen().split('\n')) expect(line.length).toBeLessThanOrEqual(60);
  terminal.press('y');
  expect(await beckon.wait(asked.id)).toMatchObject({ answer: { decision: 'allow' } });
});
