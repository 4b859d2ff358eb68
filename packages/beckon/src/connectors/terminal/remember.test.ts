import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Rules } from '../../core/rules.ts';
import { type OpenedRules, openRules } from '../../open-rules.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { createFakeTerminal, KEYS } from '../../testing/harness/terminal/fake-terminal.ts';
import { useInbox } from '../../testing/harness/terminal/use-inbox.ts';

const { enter, escape } = KEYS;
const ADA = { who: 'ada', via: 'terminal' };

const inbox = useInbox();
const expectScreen = (pattern: RegExp): Promise<void> => inbox().expectScreen(pattern);
let rules: OpenedRules;

beforeEach(async () => {
  rules = await openRules({ store: inbox().database.url, who: 'ada' });
});
afterEach(() => rules.close());

/** Opens the only request, and what may be remembered of it. */
async function remember(given: Pick<Rules, 'offers' | 'add'> = rules): Promise<void> {
  inbox().terminal = createFakeTerminal({ columns: 100, rows: 40 });
  await inbox().start({ rules: given });
  await expectScreen(/1 waiting/);
  inbox().press(enter);
  await expectScreen(/m remember …/);
  inbox().press('m');
}

async function decided(command: string, decision: 'allow' | 'deny'): Promise<void> {
  const { id } = await inbox().bash(command);
  await inbox().beckon.answer(id, { decision }, ADA);
}

const listRules = async (): Promise<object[]> => (await rules.list()).items.map(({ rule }) => rule);

describe('m', () => {
  test('offers rules of Beckon with what they would have decided, and the agent’s own; Enter makes the narrowest', async () => {
    await decided('npm test', 'allow');
    const asked = await inbox().bash('npm test');
    await remember();
    await expectScreen(
      /A rule of Beckon:\n> 1 {2}\S[^]*It matches 2 of the last 2 approvals: 1 pending, 1 allowed\.[^]*A rule of the agent, kept by laptop and not by Beckon:\n {2}\d {2}\S/,
    );
    await expectScreen(/enter: allow, and make it/);
    inbox().press(enter);
    expect(await inbox().beckon.wait(asked.id)).toMatchObject({ answer: { decision: 'allow' } });
    await expectScreen(/\* Rule of Beckon made: \S/);
    expect(await listRules()).toMatchObject([{ effect: 'allow', tool: 'Bash', createdBy: 'ada' }]);
    expect((await inbox().beckon.get(asked.id))?.answer).not.toHaveProperty('remember');
  });

  test('a number chooses; the last one is the agent’s, and makes no rule of Beckon', async () => {
    const asked = await inbox().bash('npm test');
    await remember();
    await expectScreen(/1-(\d) choose/);
    const [, last = ''] = /1-(\d) choose/.exec(inbox().terminal.screen()) ?? [];
    inbox().press(last);
    await expectScreen(new RegExp(`> ${last} [^]*enter: allow, and let the agent keep it`));
    inbox().press(enter);
    expect(await inbox().beckon.wait(asked.id)).toMatchObject({ answer: { decision: 'allow', remember: true } });
    expect(await listRules()).toEqual([]);
  });

  test('Esc goes back to the request, and nothing was made', async () => {
    const asked = await inbox().bash('npm test');
    await remember();
    await expectScreen(/enter: allow, and make it/);
    inbox().press(escape);
    await expectScreen(/y allow/);
    expect(await inbox().beckon.get(asked.id)).toMatchObject({ status: 'pending' });
    expect(await listRules()).toEqual([]);
  });

  test.each([
    ['Enter again', enter],
    ['a small a', 'a'],
  ])('a rule against what a person said needs A: %s does not make it', async (_, wrong) => {
    await decided('npm test -- --watch', 'deny');
    const asked = await inbox().bash('npm test -- --run');
    await remember();
    await expectScreen(/△ People decided 1 of them otherwise/);
    const at = /^[> ] (\d) {2}(?:(?!^[> ] \d)[^])*△ People decided/m.exec(inbox().terminal.screen())?.[1] ?? '';
    inbox().press(at);
    await expectScreen(new RegExp(`> ${at} `));
    inbox().press(enter);
    await expectScreen(/contradicts what people said[^]*Denied by ada[^]*npm test -- --watch[^]*A make it anyway/);
    inbox().press(wrong);
    await expectScreen(/1-\d choose/);
    expect(await listRules()).toEqual([]);
    inbox().press(enter);
    await expectScreen(/A make it anyway/);
    inbox().press('A');
    expect(await inbox().beckon.wait(asked.id)).toMatchObject({ answer: { decision: 'allow' } });
    expect(await listRules()).toMatchObject([{ examples: { notMatch: ['npm test -- --watch'] } }]);
    // What was denied is still asked, and the rest is decided.
    expect(await inbox().bash('npm test -- --watch')).toMatchObject({ status: 'pending' });
    expect(await inbox().bash('npm test -- --coverage')).toMatchObject({ status: 'answered' });
  });

  test('a refusal is said, and another rule can be chosen', async () => {
    const asked = await inbox().bash('npm test');
    const refused = new BeckonError('forbidden', 'Only an admin makes rules for every agent.');
    await remember({ offers: (id) => rules.offers(id), add: () => Promise.reject(refused) });
    await expectScreen(/enter: allow, and make it/);
    inbox().press(enter);
    await expectScreen(/Only an admin makes rules for every agent\.[^]*1-\d choose/);
    expect(await inbox().beckon.get(asked.id)).toMatchObject({ status: 'pending' });
  });

  test('a contradiction that came up meanwhile needs A too', async () => {
    await inbox().bash('npm test');
    const refused = new BeckonError('rule_contradicts', 'Ada denied this a moment ago.');
    const confirmed: unknown[] = [];
    const add: Rules['add'] = (draft, options = {}) => {
      confirmed.push(options.confirm);
      return options.confirm === true ? rules.add(draft, options) : Promise.reject(refused);
    };
    await remember({ offers: (id) => rules.offers(id), add });
    await expectScreen(/enter: allow, and make it/);
    inbox().press(enter);
    await expectScreen(/Ada denied this a moment ago\.[^]*A make it anyway/);
    inbox().press('A');
    await expectScreen(/Rule of Beckon made/);
    expect(confirmed).toEqual([undefined, true]);
  });

  test('where rules cannot be read, it says why, and offers the agent’s own', async () => {
    await inbox().bash('npm test');
    const refused = new BeckonError('forbidden', 'This token may only answer.');
    await remember({ offers: () => Promise.reject(refused), add: rules.add.bind(rules) });
    await expectScreen(/This token may only answer\.[^]*> 1 {2}\S[^]*enter: allow, and let the agent keep it/);
  });
});

test('what a rule decides appears nowhere in the inbox, and reads as the rule’s', async () => {
  await rules.add({ effect: 'allow', tool: 'Bash', match: { commands: [{ words: ['npm', 'test'] }] } });
  inbox().terminal = createFakeTerminal();
  await inbox().start();
  const decidedByRule: Interaction = await inbox().bash('npm test');
  expect(decidedByRule).toMatchObject({ status: 'answered', answeredBy: { who: 'ada', kind: 'rule' } });
  await inbox().bash('ls');
  await expectScreen(/1 waiting[^]*\$ ls/);
  expect(inbox().terminal.written()).not.toContain('npm test');
});
