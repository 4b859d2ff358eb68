import { describe, expect, test } from 'vitest';
import { openRules } from '../../open-rules.ts';
import type { AskInput } from '../../protocol/interaction.ts';
import { createFakeTerminal, KEYS } from '../../testing/harness/terminal/fake-terminal.ts';
import { useInbox } from '../../testing/harness/terminal/use-inbox.ts';

const { enter, down, escape } = KEYS;
const NOTHING = { denyText: false, editInput: false, remember: false };

const inbox = useInbox();
const expectScreen = (pattern: RegExp): Promise<void> => inbox().expectScreen(pattern);
const screen = (): string => inbox().terminal.screen();

/** Asks, and opens it. */
async function open(asked: AskInput, options: Parameters<ReturnType<typeof inbox>['start']>[0] = {}): Promise<string> {
  inbox().terminal = createFakeTerminal({ columns: 100, rows: 40 });
  const { id } = await inbox().beckon.ask(asked);
  await inbox().start(options);
  await expectScreen(/1 waiting/);
  inbox().press(enter);
  return id;
}

describe('the terminal offers only what the agent can do', () => {
  test('an approval has no reason, no edit and no rule of the agent, and their keys do nothing', async () => {
    const id = await open({
      kind: 'approval',
      request: { tool: 'Bash', input: { command: 'ls' }, abilities: NOTHING },
    });
    await expectScreen(/y allow · n deny/);
    expect(screen()).not.toMatch(/because|e edit|m remember/);
    inbox().press('r');
    inbox().press('e');
    inbox().press('m');
    inbox().press('n');
    expect(await inbox().beckon.wait(id)).toMatchObject({ answer: { decision: 'deny' } });
  });

  test('Beckon remembers what the agent cannot', async () => {
    const rules = await openRules({ store: inbox().database.url, who: 'ada' });
    const request = { tool: 'Bash', input: { command: 'npm test' }, abilities: NOTHING };
    const id = await open({ kind: 'approval', request }, { rules });
    await expectScreen(/m remember …/);
    inbox().press('m');
    await expectScreen(/A rule of Beckon:\n> 1 [^]*enter: allow, and make it/);
    expect(screen()).not.toContain('A rule of the agent');
    inbox().press(enter);
    expect(await inbox().beckon.wait(id)).toMatchObject({ answer: { decision: 'allow' } });
    await rules.close();
  });

  test('where neither can remember it, the reason is said, and there is only a way back', async () => {
    const rules = {
      offers: async () => ({ offers: [], why: 'No rule fits this call.' }),
      add: () => Promise.reject(new Error('There is nothing to add')),
    };
    await open(
      { kind: 'approval', request: { tool: 'Bash', input: { command: 'ls' }, abilities: NOTHING } },
      { rules },
    );
    await expectScreen(/m remember …/);
    inbox().press('m');
    await expectScreen(/No rule fits this call\./);
    expect(screen()).not.toMatch(/enter: allow|A rule of/);
    inbox().press(enter);
    inbox().press(escape);
    await expectScreen(/y allow/);
  });

  test('a plan is sent back without a word, and is neither edited nor commented on', async () => {
    const abilities = { decisions: ['default' as const, 'adjust' as const], feedback: false, editPlan: false };
    const id = await open({ kind: 'plan_review', request: { plan: '# Plan', abilities } });
    await expectScreen(/1 Accept, and ask before each edit · 2 Send back · /);
    expect(screen()).not.toMatch(/e edit|w comment/);
    inbox().press('e');
    inbox().press('w');
    inbox().press('r');
    await expectScreen(/Send back: Nothing is done yet\.[^]*does not hear why/);
    inbox().press(enter);
    expect(await inbox().beckon.wait(id)).toMatchObject({ answer: { decision: 'adjust' } });
  });

  test('a question has its options, and no row for own words or a note', async () => {
    const options = [{ label: 'SQLite' }, { label: 'Postgres' }];
    const request = { question: 'Which?', options, abilities: { ownWords: false, notes: false } };
    const id = await open({ kind: 'question', request });
    await expectScreen(/2 ○ Postgres/);
    expect(screen()).not.toMatch(/own words|note/);
    inbox().press('3');
    inbox().press('2');
    await expectScreen(/2 ● Postgres/);
    inbox().press(enter);
    expect(await inbox().beckon.wait(id)).toMatchObject({ answer: { selected: ['Postgres'] } });
  });

  test('own words for several options stand beside them where the agent takes no notes', async () => {
    const options = [{ label: 'Auth' }, { label: 'Search' }];
    const request = { question: 'Which?', options, multiSelect: true, abilities: { notes: false } };
    const id = await open({ kind: 'question', request });
    await expectScreen(/3 {3}In your own words/);
    inbox().press('1');
    await expectScreen(/1 ☒ Auth/);
    inbox().press('3');
    await expectScreen(/^(?![^]*Auth)[^]*Which\?/);
    inbox().press(`Billing${enter}`);
    expect(await inbox().beckon.wait(id)).toMatchObject({ answer: { text: 'Auth, Billing', selected: ['Auth'] } });
  });

  test('a reason for several is not asked for if one of them could not read it', async () => {
    const { id } = await inbox().bash('npm test');
    const request = { tool: 'Bash', input: { command: 'ls' }, abilities: NOTHING };
    await inbox().beckon.ask({ kind: 'approval', request });
    await inbox().start();
    await expectScreen(/2 waiting/);
    inbox().press(`x${down}x`);
    await expectScreen(/y allow 2/);
    inbox().press('r');
    await expectScreen(/1 of the 2 agents cannot read a reason\./);
    inbox().press('n');
    await expectScreen(/Deny these 2\?/);
    inbox().press(enter);
    expect(await inbox().beckon.wait(id)).toMatchObject({ answer: { decision: 'deny' } });
  });
});
