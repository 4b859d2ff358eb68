import { describe, expect, test } from 'vitest';
import type { ContextInput } from '../../protocol/context.ts';
import type { AskInput } from '../../protocol/interaction.ts';
import { KEYS } from '../../testing/harness/terminal/fake-terminal.ts';
import { SHOP, useInbox } from '../../testing/harness/terminal/use-inbox.ts';

const { enter, escape } = KEYS;
const RIGHT = '\u001b[C';
const LEFT = '\u001b[D';

const inbox = useInbox();
const expectScreen = (pattern: RegExp): Promise<void> => inbox().expectScreen(pattern);

describe('what a request shows', () => {
  test('a command says where it comes from, who asked, why, and what was done before', async () => {
    const calls = [
      { tool: 'Bash', about: 'npm test', outcome: 'ok', ms: 12_000 },
      { tool: 'Edit', about: 'total.ts', outcome: 'denied' },
    ] as const;
    await inbox().call(
      'Bash',
      { command: 'git push\ngit status', description: 'Push it' },
      { ...SHOP, message: 'All tests pass.', calls: [...calls] },
    );
    await inbox().start();
    await expectScreen(
      /webshop {2}feature\/currency +1\n {3}laptop · Convert the cart\n> 1 {3}\$ Push it · git push ↵ git status/,
    );
    inbox().press(enter);
    await expectScreen(/Why/);
    expect(inbox().terminal.screen()).toMatch(
      new RegExp(
        [
          '^webshop · feature/currency · Claude Code · ada-laptop',
          '“Convert the cart”',
          'Asked by laptop, \\d+s ago, [45]m left',
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
    await inbox().call('Edit', input, { ...SHOP, files });
    await inbox().start();
    await expectScreen(/± Edit src\/total\.ts +\+1 -1/);
    inbox().press(enter);
    await expectScreen(
      /src\/total\.ts {2}edited {2}\+1 -1\n {2}12 {3}line 12\n[^]* {2}15 - line 15\n {2}15 \+ → line fifteen··\n/,
    );
    expect(inbox().terminal.screen()).not.toContain('line 11');
    inbox().press('o');
    await expectScreen(/ {2}1 {3}line 1\n/);
  });

  test.each([
    ['a new file', null, 'new file'],
    ['a file that is there', 'a'.repeat(64), 'overwritten'],
  ])('%s is named as one when it is written', async (_, sha256, state) => {
    const path = '/home/ada/webshop/a.txt';
    const before = sha256 === null ? {} : { lines: 1, before: [{ line: 1, text: 'old\n' }] };
    await inbox().call(
      'Write',
      { file_path: path, content: 'new\n' },
      { ...SHOP, files: [{ path, sha256, ...before }] },
    );
    await inbox().start();
    await expectScreen(/1 waiting/);
    inbox().press(enter);
    await expectScreen(new RegExp(`a\\.txt {2}${state} {2}\\+1 -${sha256 === null ? 0 : 1}`));
  });

  test('the tool of a server is a table of server, tool and arguments', async () => {
    await inbox().call('mcp__github__create_issue', { title: 'It breaks', labels: ['bug'] });
    await inbox().start();
    await expectScreen(/GitHub: create issue: It breaks/);
    inbox().press(enter);
    await expectScreen(
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
    await inbox().call('Edit', { file_path: `/${evil}`, old_string: evil, new_string: `${evil}c` }, context);
    await inbox().start();
    await expectScreen(/1 waiting/);
    inbox().press(enter);
    await expectScreen(/Why/);
    inbox().press('c');
    await expectScreen(/Conversation/);
    for (const hidden of ['\u001b]0;', '\u0007', '\u202e']) expect(inbox().terminal.written()).not.toContain(hidden);
  });
});

describe('keys in a request', () => {
  test('r denies with a reason, and the next request opens with what was decided', async () => {
    const first = await inbox().bash('rm -rf build');
    await inbox().bash('npm test');
    await inbox().start();
    await expectScreen(/2 waiting/);
    inbox().press(enter);
    await expectScreen(/Bash\n\$ rm -rf build/);
    inbox().press('r');
    await expectScreen(/Why not\?/);
    inbox().press(`not on a Friday${enter}`);
    expect(await inbox().beckon.wait(first.id)).toMatchObject({
      answer: { decision: 'deny', message: 'not on a Friday' },
    });
    await expectScreen(/\$ npm test[^]*✗ rm -rf build - Denied by dev@laptop in the terminal: not on a Friday/);
  });

  test('a command is edited as a text, and the change is shown before it is sent', async () => {
    const given: string[] = [];
    const asked = await inbox().call('Bash', { command: 'rm -rf build\nnpm test', timeout: 5 });
    await inbox().start({
      editText: async (text, fileName) => {
        given.push(`${fileName}: ${text}`);
        return `${text.replace('rm -rf', 'ls')}\n`;
      },
    });
    await expectScreen(/1 waiting/);
    inbox().press(enter);
    await expectScreen(/y allow/);
    inbox().press('e');
    await expectScreen(
      /Your changes[^]*1 - rm -rf build[^]*1 \+ ls build[^]*\$ ls build\n\| npm test[^]*y allow, as edited/,
    );
    inbox().press('y');
    expect(await inbox().beckon.wait(asked.id)).toMatchObject({
      answer: { decision: 'allow', updatedInput: { command: 'ls build\nnpm test', timeout: 5 } },
    });
    expect(given).toEqual(['command.sh: rm -rf build\nnpm test']);
  });

  test('what has not been on the screen is not allowed by one key', async () => {
    const asked = await inbox().bash(Array.from({ length: 60 }, (_, index) => `echo ${index}`).join('\n'));
    await inbox().start();
    await expectScreen(/1 waiting/);
    inbox().press(enter);
    await expectScreen(/more below/);
    inbox().press('y');
    await expectScreen(/lines have not been on the screen[^]*enter: allow anyway/);
    inbox().press('y');
    await expectScreen(/y allow/);
    for (const _ of [1, 2, 3]) inbox().press(' ');
    await expectScreen(/echo 59/);
    inbox().press('y');
    expect(await inbox().beckon.wait(asked.id)).toMatchObject({ answer: { decision: 'allow' } });
  });

  test('m shows the rule, and Enter sends it', async () => {
    const asked = await inbox().beckon.ask({
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
    await inbox().start();
    await expectScreen(/1 waiting/);
    inbox().press(enter);
    await expectScreen(/y allow/);
    inbox().press('m');
    await expectScreen(
      /kept by an agent and not by Beckon:\n> 1  Allow Bash\(npm test:\*\)\n {5}\{"type":"setMode","mode":"acceptEdits"\}[^]*enter: allow, and let the agent keep it/,
    );
    inbox().press(enter);
    expect(await inbox().beckon.wait(asked.id)).toMatchObject({ answer: { decision: 'allow', remember: true } });
  });

  test('j and k go to the next and the previous request, c, l and ? open what one reads', async () => {
    await inbox().bash('first', {
      ...SHOP,
      conversation: [
        { by: 'person', text: 'Do it.' },
        { by: 'agent', text: 'Sure.\nAt once.' },
      ],
    });
    await inbox().bash('second');
    await inbox().start({ readLog: async (id) => [`#1 ${id}`] });
    await expectScreen(/2 waiting/);
    inbox().press(enter);
    await expectScreen(/Bash\n\$ first[^]*c conversation\nl log/);
    inbox().press('c');
    await expectScreen(/Conversation\nYou {4}Do it\.\n\nAgent {2}Sure\.\n {7}At once\.\n/);
    inbox().press('q');
    await expectScreen(/Bash\n\$ first/);
    inbox().press('l');
    await expectScreen(/Log\n#1 int_/);
    inbox().press(escape);
    await expectScreen(/Bash\n\$ first/);
    inbox().press('?');
    await expectScreen(/Keys\nIn a request/);
    inbox().press('q');
    await expectScreen(/Bash\n\$ first/);
    inbox().press('j');
    await expectScreen(/Bash\n\$ second/);
    inbox().press('c');
    await expectScreen(/sent nothing of the conversation/);
    inbox().press('q');
    await expectScreen(/Bash\n\$ second/);
    inbox().press('k');
    await expectScreen(/Bash\n\$ first/);
    inbox().press(escape);
    await expectScreen(/2 waiting/);
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
    const asked = await inbox().beckon.askGroup(FOUR);
    await inbox().start();
    await expectScreen(/1 waiting[^]*4 questions/);
    inbox().press(enter);
    await expectScreen(/\[Database\] │ Region │ Cache │ Name │ Send/);
    inbox().press('2');
    await expectScreen(/Database ✓ │ \[Region\] │ Cache/);
    inbox().press('1');
    await expectScreen(/Region ✓ │ \[Cache\]/);
    inbox().press('12');
    await expectScreen(/☒ redis[^]*☒ none/);
    inbox().press(enter);
    await expectScreen(/Cache ✓ │ \[Name\] │ Send/);
    inbox().press(enter);
    await expectScreen(/Name\?[^]*└/);
    inbox().press(`shop${enter}`);
    await expectScreen(/\[Send\][^]*Database\n {2}Database\?\n {2}Postgres[^]*redis, none[^]*shop[^]*enter: send all/);
    for (const { id } of asked) expect(await inbox().beckon.get(id)).toMatchObject({ status: 'pending' });
    inbox().press(enter);
    await expectScreen(/nothing waiting/);
    const answers = await Promise.all(asked.map(async ({ id }) => (await inbox().beckon.wait(id)).answer));
    expect(answers).toMatchObject([
      { text: 'Postgres' },
      { text: 'eu' },
      { selected: ['redis', 'none'] },
      { text: 'shop' },
    ]);
    const { items } = await inbox().beckon.list({ status: 'answered' });
    expect(new Set(items.map(({ settledAt }) => settledAt)).size).toBe(1);
  });

  test('are gone through back and forth, keep their drafts, and the review leads to the open one', async () => {
    await inbox().beckon.askGroup(FOUR.slice(0, 3));
    await inbox().start();
    await expectScreen(/1 waiting/);
    inbox().press(enter);
    await expectScreen(/\[Database\]/);
    inbox().press('2');
    await expectScreen(/\[Region\]/);
    inbox().press(LEFT);
    await expectScreen(/\[Database ✓\][^]*2 ● Postgres/);
    inbox().press(`1`);
    await expectScreen(/\[Region\]/);
    inbox().press(RIGHT + RIGHT);
    await expectScreen(/\[Send\][^]*SQLite[^]*open[^]*enter: the open question/);
    inbox().press(enter);
    await expectScreen(/\[Region\]/);
    inbox().press(escape);
    await expectScreen(/1 waiting/);
    inbox().press(enter);
    await expectScreen(/Database ✓ │ \[Region\]/);
  });

  test('that were answered in part elsewhere close, and the rest is asked with its drafts', async () => {
    const [first, second] = await inbox().beckon.askGroup(FOUR.slice(0, 3));
    await inbox().start();
    await expectScreen(/1 waiting/);
    inbox().press(enter);
    await expectScreen(/\[Database\]/);
    inbox().press(RIGHT);
    await expectScreen(/\[Region\]/);
    inbox().press('2');
    await expectScreen(/\[Cache\]/);
    await inbox().beckon.answer(String(first?.id), { text: 'SQLite' }, { who: 'ada', via: 'telegram' });
    await expectScreen(/Answered by ada in Telegram: SQLite/);
    inbox().press(enter);
    await expectScreen(/1 waiting[^]*2 questions/);
    inbox().press(enter);
    await expectScreen(/Region ✓ │ \[Cache\] │ Send/);
    expect(await inbox().beckon.get(String(second?.id))).toMatchObject({ status: 'pending' });
  });
});

test('a call that asks for more than answers to questions is gone through one by one', async () => {
  const ask = (command: string): AskInput => ({ kind: 'approval', request: { tool: 'Bash', input: { command } } });
  const [first, second] = await inbox().beckon.askGroup([ask('npm test'), ask('git push')]);
  await inbox().start();
  await expectScreen(/1 waiting/);
  inbox().press(enter);
  await expectScreen(/Bash\n\$ npm test/);
  inbox().press('y');
  await expectScreen(/Bash\n\$ git push/);
  expect(await inbox().beckon.get(String(second?.id))).toMatchObject({ status: 'pending' });
  inbox().press('n');
  expect(await inbox().beckon.wait(String(first?.id))).toMatchObject({ answer: { decision: 'allow' } });
  expect(await inbox().beckon.wait(String(second?.id))).toMatchObject({ answer: { decision: 'deny' } });
});
