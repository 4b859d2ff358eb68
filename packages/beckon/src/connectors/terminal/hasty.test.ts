import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { runConnector } from '../../coordinator/run-connector.ts';
import type { Beckon } from '../../core/beckon.ts';
import { openBeckon } from '../../open-beckon.ts';
import type { AskInput, Interaction } from '../../protocol/interaction.ts';
import { createSqliteDatabase } from '../../testing/harness/database.ts';
import { createFakeTerminal, type FakeTerminal, KEYS } from '../../testing/harness/terminal/fake-terminal.ts';
import { useEach } from '../../testing/suites/use-each.ts';
import { createTerminalConnector } from './terminal-connector.ts';

const { enter, down } = KEYS;
/** Longer than any pause of the guard. */
const REST_MS = 900;
const OPTIONS = [{ label: 'a' }, { label: 'b' }];

/** Somebody at a terminal, on a Beckon of their own. */
interface Place {
  beckon: Beckon;
  terminal: FakeTerminal;
}

// These tests wait for most of their time, so they do it together.
describe.concurrent('somebody hasty at the keyboard', () => {
  const place = useEach<Place>(async (runTest) => {
    const database = await createSqliteDatabase();
    const beckon = await openBeckon({ store: database.url });
    const terminal = createFakeTerminal();
    const { input, output } = terminal;
    const connector = createTerminalConnector({ input, output, who: 'dev@laptop' });
    const running = await runConnector({ beckon, connector, onError: () => undefined });
    try {
      await runTest({ beckon, terminal });
    } finally {
      await running.stop();
      await beckon.close();
      await database.dispose();
    }
  });

  const ask = (input: object): Promise<Interaction> => place().beckon.ask(input as AskInput);
  const approve = (command: string): Promise<Interaction> =>
    ask({ kind: 'approval', request: { tool: 'Bash', input: { command } } });

  /** Presses one key after another, as somebody who looks at the screen does. */
  async function pressSlowly(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await sleep(REST_MS);
      place().terminal.press(key);
    }
  }

  /** A key that is held: it comes once, and after a while again and again. */
  async function hold(key: string, times: number): Promise<void> {
    place().terminal.press(key);
    await sleep(500);
    for (let index = 0; index < times; index += 1) {
      place().terminal.press(key);
      await sleep(30);
    }
  }

  async function expectPending(...interactions: Interaction[]): Promise<void> {
    for (const { id } of interactions) expect(await place().beckon.get(id)).toMatchObject({ status: 'pending' });
  }

  describe.each<[string, object, RegExp, string[], object]>([
    [
      'a question',
      { kind: 'question', request: { question: 'Which?', options: OPTIONS } },
      /In your own words/,
      [enter],
      { text: 'a' },
    ],
    [
      'a question with several answers',
      { kind: 'question', request: { question: 'Which?', options: OPTIONS, multiSelect: true } },
      /Add a note/,
      [' ', enter],
      { selected: ['a'] },
    ],
    [
      'a question without options',
      { kind: 'question', request: { question: 'Why?' } },
      /Why\?[^]*└/,
      ['because', enter],
      { text: expect.stringMatching(/because$/) },
    ],
    [
      'an approval',
      { kind: 'approval', request: { tool: 'Bash', input: {} } },
      /y allow/,
      ['y'],
      { decision: 'allow' },
    ],
    [
      'a plan',
      { kind: 'plan_review', request: { plan: '# Plan' } },
      /Send back with feedback/,
      ['1', enter],
      { decision: 'clean_edit' },
    ],
    [
      'a form with a yes or no',
      {
        kind: 'form',
        request: {
          message: 'Fill in',
          schema: { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] },
        },
      },
      /Yes[^]*No/,
      ['y'],
      { values: { sure: true } },
    ],
    [
      'a form with a text',
      {
        kind: 'form',
        request: {
          message: 'Fill in',
          schema: { type: 'object', properties: { name: { type: 'string', default: 'Ada' } } },
        },
      },
      /optional[^]*Ada/,
      [enter],
      { values: { name: expect.stringMatching(/^Ada/) } },
    ],
    [
      'a component',
      { kind: 'component', request: { components: [{ type: 'Button', props: { label: 'Go', action: 'go' } }] } },
      /What would you like to do\?/,
      [enter],
      {},
    ],
  ])('%s', (_, input, prompt, deliberate, answer) => {
    test('is not decided by keys that were typed ahead, pasted or held, and is by keys that come after a pause', async () => {
      const asked = await ask(input);
      await place().terminal.seen(/1 waiting/);
      // A burst opens nothing, and what is on the screen then is the list.
      place().terminal.press(enter.repeat(5));
      await sleep(REST_MS);
      expect(place().terminal.screen()).toContain('1 waiting');
      // The press that opens it goes on and on.
      await hold(enter, 10);
      await place().terminal.seen(prompt);
      await expectPending(asked);
      place().terminal.press(`2${enter}1${enter}y${enter} ${enter}${down}${enter}`);
      await sleep(REST_MS);
      await expectPending(asked);
      place().terminal.press(enter.repeat(3));
      await sleep(REST_MS);
      await expectPending(asked);
      expect(place().terminal.screen()).toMatch(prompt);
      await pressSlowly(...deliberate);
      expect(await place().beckon.wait(asked.id)).toMatchObject({ answer });
    });
  });

  describe('Enter that is held', () => {
    test('goes through list, request and the next request without deciding', async () => {
      const all = [
        await approve('ls'),
        await approve('pwd'),
        await ask({ kind: 'plan_review', request: { plan: '# P' } }),
      ];
      await place().terminal.seen(/3 waiting/);
      await sleep(REST_MS);
      await hold(enter, 100);
      await sleep(REST_MS);
      await expectPending(...all);
    });

    test('while an answer is sent does not decide about the next', async () => {
      const first = await approve('ls');
      const second = await approve('make deploy');
      await place().terminal.seen(/2 waiting/);
      await pressSlowly(enter);
      await place().terminal.seen(/y allow/);
      await sleep(REST_MS);
      await hold(enter, 60);
      await sleep(REST_MS);
      // Enter decides about no call, however long it is held.
      await expectPending(first, second);
    });
  });

  describe('y and n', () => {
    test('that are held allow one at most, and never the next, which opens by itself', async () => {
      const all = [await approve('ls'), await approve('make deploy'), await approve('make clean')];
      await place().terminal.seen(/3 waiting/);
      await pressSlowly(enter);
      await place().terminal.seen(/\$ ls[^]*y allow/);
      await sleep(REST_MS);
      await hold('y', 100);
      await sleep(REST_MS);
      await expectPending(...all.slice(1));
    });

    test('that are pressed again and again decide about one, and the next says what became of it', async () => {
      const [first, second] = [await approve('ls'), await approve('make deploy')];
      await place().terminal.seen(/2 waiting/);
      await pressSlowly(enter);
      await place().terminal.seen(/\$ ls[^]*y allow/);
      await pressSlowly('y');
      for (const key of 'nynynynyny') {
        await sleep(60);
        place().terminal.press(key);
      }
      await place().terminal.seen(/make deploy[^]*✓ ls - Allowed by dev@laptop/);
      await sleep(REST_MS);
      await expectPending(second);
      expect(await place().beckon.get(first.id)).toMatchObject({ answer: { decision: 'allow' } });
      await pressSlowly('n');
      expect(await place().beckon.wait(second.id)).toMatchObject({ answer: { decision: 'deny' } });
    });

    test('do nothing in the list, where a request is a headline only', async () => {
      const asked = await approve('ls');
      await place().terminal.seen(/1 waiting/);
      await pressSlowly('y', 'n', 'm', enter);
      await place().terminal.seen(/y allow/);
      await expectPending(asked);
    });

    test('typed ahead of a request that opens, or pasted into it, decide nothing', async () => {
      const asked = await approve('ls');
      await place().terminal.seen(/1 waiting/);
      await pressSlowly(enter);
      for (const key of 'ynynyn') {
        await sleep(60);
        place().terminal.press(key);
      }
      await place().terminal.seen(/y allow/);
      await sleep(REST_MS);
      place().terminal.press('yes please');
      await sleep(REST_MS);
      place().terminal.press('nnn');
      await sleep(REST_MS);
      await expectPending(asked);
    });

    test('about what is marked only open the list of it, and a held Enter does not send that', async () => {
      const all = [await approve('ls'), await approve('pwd')];
      await place().terminal.seen(/2 waiting/);
      await pressSlowly('x', 'j', 'x', 'y');
      await place().terminal.seen(/Allow these 2\?/);
      await expectPending(...all);
      place().terminal.press(`y${enter}`);
      await sleep(100);
      place().terminal.press(enter);
      await sleep(REST_MS);
      await hold('y', 30);
      await sleep(REST_MS);
      await expectPending(...all);
      await pressSlowly(enter);
      for (const { id } of all) expect(await place().beckon.wait(id)).toMatchObject({ answer: { decision: 'allow' } });
    });
  });

  describe('the questions of one call', () => {
    test('take no number for a tab that was not seen, and no Enter for a review that was not', async () => {
      const question = (header: string): AskInput => ({
        kind: 'question',
        request: { question: `${header}?`, header, options: OPTIONS },
      });
      const asked = await place().beckon.askGroup([question('One'), question('Two')]);
      await place().terminal.seen(/1 waiting/);
      await pressSlowly(enter);
      await place().terminal.seen(/\[One\]/);
      await sleep(REST_MS);
      place().terminal.press('22');
      await sleep(REST_MS);
      expect(place().terminal.screen()).toContain('One ✓ │ [Two] │ Send');
      place().terminal.press(`1${enter}`);
      await sleep(100);
      place().terminal.press(enter);
      await sleep(REST_MS);
      expect(place().terminal.screen()).toContain('Two ✓ │ [Send]');
      await expectPending(...asked);
      await pressSlowly(enter);
      expect(await place().beckon.wait(String(asked[1]?.id))).toMatchObject({ answer: { text: 'a' } });
    });
  });

  describe('the screen changes under the person', () => {
    test('a request that is settled elsewhere closes, and what they press then opens and decides nothing', async () => {
      const first = await approve('ls');
      const second = await approve('make deploy');
      await place().terminal.seen(/2 waiting/);
      await pressSlowly(enter);
      await place().terminal.seen(/y allow/);
      await pressSlowly(down);
      await sleep(REST_MS);
      await place().beckon.cancel({ id: first.id });
      await place().terminal.seen(/no longer needed/);
      place().terminal.press(enter);
      await sleep(60);
      place().terminal.press(enter);
      await sleep(60);
      place().terminal.press(enter);
      await sleep(REST_MS);
      await expectPending(second);
      expect(place().terminal.screen()).toContain('no longer needed');
      await pressSlowly(enter);
      await place().terminal.seen(/1 waiting/);
    });

    test('a row that comes into the place of another is not opened by an Enter that was meant for the other', async () => {
      const first = await approve('ls');
      await approve('make deploy');
      await place().terminal.seen(/2 waiting/);
      await sleep(REST_MS);
      await place().beckon.cancel({ id: first.id });
      await place().terminal.seen(/1 waiting/);
      place().terminal.press(enter);
      await sleep(REST_MS);
      expect(place().terminal.screen()).toContain('1 waiting');
      await pressSlowly(enter);
      await place().terminal.seen(/make deploy[^]*y allow/);
    });

    test('the first that comes into an empty list is not opened by an Enter that came before it was seen', async () => {
      await place().terminal.seen(/nothing waiting/);
      await sleep(REST_MS);
      await approve('make deploy');
      await place().terminal.seen(/1 waiting/);
      place().terminal.press(enter);
      await sleep(REST_MS);
      expect(place().terminal.screen()).toContain('1 waiting');
    });

    test('a number is not taken for the row that has just come under it', async () => {
      const first = await approve('ls');
      const asked = [await approve('pwd'), await approve('make deploy')];
      await place().terminal.seen(/3 waiting/);
      await pressSlowly(down);
      await sleep(REST_MS);
      await place().beckon.cancel({ id: first.id });
      await place().terminal.seen(/2 waiting/);
      // It was the second until now.
      place().terminal.press('2');
      await sleep(100);
      place().terminal.press(enter);
      await place().terminal.seen(/\$ pwd[^]*y allow/);
      await expectPending(...asked);
    });

    test('a row that is added below does not slow anybody down', async () => {
      await approve('ls');
      await place().terminal.seen(/1 waiting/);
      await sleep(REST_MS);
      await approve('pwd');
      await place().terminal.seen(/2 waiting/);
      place().terminal.press(enter);
      await place().terminal.seen(/y allow/);
      expect(place().terminal.screen()).toContain('$ ls');
    });
  });

  test('text that is pasted with its line ends is in the field, and is sent by an Enter of its own', async () => {
    const { id } = await ask({ kind: 'question', request: { question: 'Why?' } });
    await place().terminal.seen(/1 waiting/);
    await pressSlowly(enter);
    await place().terminal.seen(/Why\?/);
    await sleep(REST_MS);
    place().terminal.press(`first${enter}second${enter}`);
    await place().terminal.seen(/first second/);
    await sleep(REST_MS);
    expect(await place().beckon.get(id)).toMatchObject({ status: 'pending' });
    place().terminal.press(enter);
    expect(await place().beckon.wait(id)).toMatchObject({
      answer: { text: expect.stringMatching(/^first second ?$/) },
    });
  });
});
