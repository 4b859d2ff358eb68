import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Beckon } from '../core/beckon.ts';
import { openBeckon } from '../open-beckon.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { createSqliteDatabase, type TestDatabase } from '../testing/harness/database.ts';
import { type TextOrigin, TextRouter } from './text-router.ts';

const ADA = { who: 'ada', via: 'telegram' };
const BOB = { who: 'bob', via: 'telegram' };
const MINUTE_MS = 60_000;
const TOO_EARLY = 'The number 1 came before you could read the list, so it was not used. Please send the number again.';

let database: TestDatabase;
let beckon: Beckon;
let router: TextRouter;
let now: number;
/** What the people who type do not see. */
let unseen: Set<string>;

beforeEach(async () => {
  database = await createSqliteDatabase();
  beckon = await openBeckon({ store: database.url, timeout: null });
  now = Date.now();
  unseen = new Set();
  router = new TextRouter(beckon, { now: () => now, isSeen: (id) => !unseen.has(id) });
});
afterEach(async () => {
  await beckon.close();
  await database.dispose();
});

const askQuestion = (question: string): Promise<Interaction> =>
  beckon.ask({ kind: 'question', chatId: 'ops', request: { question, options: [] } });
const askApproval = (command: string): Promise<Interaction> =>
  beckon.ask({ kind: 'approval', chatId: 'ops', request: { tool: 'Bash', input: { command } } });
const askPlan = (plan: string): Promise<Interaction> =>
  beckon.ask({ kind: 'plan_review', chatId: 'ops', request: { plan } });

async function say(text: string, by = ADA, origin: TextOrigin = { hasRead: true }): Promise<string | null> {
  const routed = await router.route('ops', text, by, origin);
  return routed.result === 'not_for_us' ? null : routed.reply;
}

async function expectPending(...interactions: Interaction[]): Promise<void> {
  for (const { id } of interactions) expect(await beckon.get(id)).toMatchObject({ status: 'pending' });
}

const toChangedText = (number: number, text: string): string =>
  `What is open here has changed, so the number ${number} was not used. Please send your answer again.\nYour earlier text was not used: "${text}"`;

describe('a "yes" that waits for its number is consent to nothing', () => {
  test('where a question of the list was answered and another one asked', async () => {
    const removal = await askApproval('make deploy');
    const day = await askQuestion('Which day?');
    expect(await say('yes')).toMatch(/^Which one is "yes" for\?/);
    await beckon.answer(day.id, { text: '7' }, ADA);
    const retries = await askQuestion('How many retries?');
    expect(await say('1')).toBe(toChangedText(1, 'yes'));
    // Sent again, and again, the number is a text like others.
    expect(await say('1')).toMatch(/^Which one is "1" for\?/);
    await expectPending(removal, retries);
    expect(await say('2')).toBe('Response received.');
    expect(await beckon.get(retries.id)).toMatchObject({ answer: { text: '1' } });
    await expectPending(removal);
  });

  test('where one of the list is left alone, and a question neither gets the "yes" nor the number', async () => {
    const deployment = await askApproval('deploy');
    const replicas = await askQuestion('How many replicas?');
    await say('yes, go');
    await beckon.answer(deployment.id, { decision: 'allow' }, ADA);
    expect(await say('2')).toBe(toChangedText(2, 'yes, go'));
    await expectPending(replicas);
    expect(await say('2')).toBe('Response received.');
    expect(await beckon.get(replicas.id)).toMatchObject({ answer: { text: '2' } });
  });

  test('where an approval is left alone, and a number sent twice is a no', async () => {
    const removal = await askApproval('make deploy');
    const day = await askQuestion('Which day?');
    await say('yes');
    await beckon.answer(day.id, { text: '7' }, ADA);
    expect(await say('1')).toBe(toChangedText(1, 'yes'));
    await expectPending(removal);
    await say('1');
    expect(await beckon.get(removal.id)).toMatchObject({ answer: { decision: 'deny', message: '1' } });
  });

  test('where something was asked since', async () => {
    const first = [await askApproval('make deploy'), await askQuestion('Which day?')];
    await say('yes');
    const added = await askQuestion('How many retries?');
    expect(await say('1')).toBe(toChangedText(1, 'yes'));
    await expectPending(...first, added);
  });

  test('where the feedback on a plan of the list was asked for since', async () => {
    const removal = await askApproval('make deploy');
    const plan = await askPlan('# Plan');
    await say('yes');
    await beckon.answer(plan.id, { decision: 'adjust' }, ADA);
    expect(await say('1')).toBe(toChangedText(1, 'yes'));
    await expectPending(removal, plan);
  });

  test('where another person of the chat sends the number', async () => {
    const both = [await askApproval('make deploy'), await askQuestion('How many retries?')];
    await say('yes');
    expect(await say('1', BOB)).toMatch(/^Which one is "1" for\?/);
    await expectPending(...both);
    expect(await say('1')).toBe('Response received.');
    expect(await beckon.get(both[0]?.id ?? '')).toMatchObject({
      answer: { decision: 'allow' },
      answeredBy: { who: 'ada' },
    });
  });

  test.for([
    ['ten minutes later', 10 * MINUTE_MS],
    ['where the clock was set back', -MINUTE_MS],
  ] as const)('%s: the number is a text like others then', async ([, ms]) => {
    const both = [await askApproval('make deploy'), await askQuestion('How many retries?')];
    await say('yes');
    now += ms;
    expect(await say('1')).toMatch(/^Your earlier text was not used: "yes"\nWhich one is "1" for\?/);
    await expectPending(...both);
  });

  test('in the place of an approval that nobody saw here', async () => {
    const removal = await askApproval('make deploy');
    unseen.add(removal.id);
    expect(await say('yes')).toBe(
      'What is open may not have reached you yet, so this was not used: "yes". Reply to its message, or send it again in a moment.',
    );
    const tabs = await askQuestion('Tabs?');
    expect(await say('yes')).toBe('Response received.');
    expect(await beckon.get(tabs.id)).toMatchObject({ answer: { text: 'yes' } });
    await expectPending(removal);
    unseen.clear();
    now += 10_000;
    await say('yes');
    expect(await beckon.get(removal.id)).toMatchObject({ answer: { decision: 'allow' } });
  });
});

test('just before ten minutes are over the number counts, and what nobody saw meanwhile does not change the list', async () => {
  await askApproval('make deploy');
  const tabs = await askQuestion('Tabs?');
  await say('yes');
  now += 10 * MINUTE_MS - 1;
  unseen.add((await askQuestion('Spaces?')).id);
  expect(await say('2')).toBe('Response received.');
  expect(await beckon.get(tabs.id)).toMatchObject({ answer: { text: 'yes' } });
});

test('a list tells several of a kind apart', async () => {
  await askApproval('ls');
  await askApproval('make deploy');
  await askPlan('# Move\n\nSlowly.');
  expect(await say('yes')).toBe(
    [
      'Which one is "yes" for? Reply to its message, or send its number:',
      '1. Allow Bash? {"command":"ls"}',
      '2. Allow Bash? {"command":"make deploy"}',
      '3. Plan: # Move Slowly.',
    ].join('\n'),
  );
});

test('a number whose answer could not be given can be sent again', async () => {
  await askQuestion('Which port?');
  const host = await askQuestion('Which host?');
  let isDown = true;
  const failing = new Proxy(beckon, {
    get: (target, name) => {
      if (name === 'answer' && isDown) return () => Promise.reject(new BeckonError('store_busy', 'Not now.'));
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  router = new TextRouter(failing);
  await say('example.org');
  await expect(say('2')).rejects.toMatchObject({ code: 'store_busy' });
  isDown = false;
  expect(await say('2')).toBe('Response received.');
  expect(await beckon.get(host.id)).toMatchObject({ answer: { text: 'example.org' } });
});

describe('a number that was sent before its list could be read', () => {
  test('is not a choice, and can be sent again', async () => {
    const both = [await askApproval('make deploy'), await askQuestion('How many retries?')];
    await say('yes');
    now += 499;
    expect(await say('1', ADA, {})).toBe(TOO_EARLY);
    await expectPending(...both);
    now += 1;
    expect(await say('1', ADA, {})).toBe('Response received.');
    expect(await beckon.get(both[0]?.id ?? '')).toMatchObject({ answer: { decision: 'allow' } });
  });

  test('is known exactly where the place knows it, however long ago that was', async () => {
    const both = [await askApproval('make deploy'), await askQuestion('How many retries?')];
    await say('yes');
    now += MINUTE_MS;
    expect(await say('1', ADA, { hasRead: false })).toBe(TOO_EARLY);
    await expectPending(...both);
  });

  test('sent twice, a number that chose does not answer what is left', async () => {
    await askApproval('ls');
    const left = await askQuestion('How many retries?');
    await say('yes');
    expect(await say('1')).toBe('Response received.');
    expect(await say('1')).toMatch(/^You sent "1" a moment ago and it was used then/);
    await expectPending(left);
    now += 10_000;
    expect(await say('1')).toBe('Response received.');
    expect(await beckon.get(left.id)).toMatchObject({ answer: { text: '1' } });
  });
});

describe('a text that was taken a moment ago answers nothing that was asked since', () => {
  test.for(['yes', 'YES ', 'ok', 'y'])('"yes" and then %j', async (again) => {
    await askApproval('ls');
    expect(await say('yes')).toBe('Response received.');
    const removal = await askApproval('make deploy');
    now += 9_999;
    expect(await say(again)).toMatch(/^You sent .* a moment ago and it was used then, so this one was not\./);
    await expectPending(removal);
    now += 1;
    expect(await say(again)).toBe('Response received.');
  });

  test('as a reply to its message it counts', async () => {
    await askApproval('ls');
    await say('yes');
    const second = await askApproval('pwd');
    expect(await say('yes', ADA, { replyTo: second.id })).toBe('Response received.');
    expect(await beckon.get(second.id)).toMatchObject({ answer: { decision: 'allow' } });
  });

  test('of another person it counts', async () => {
    await askApproval('ls');
    await say('yes');
    const second = await askApproval('pwd');
    expect(await say('yes', BOB)).toBe('Response received.');
    expect(await beckon.get(second.id)).toMatchObject({ answeredBy: { who: 'bob' } });
  });

  test('a "yes" that was feedback is no consent to an approval beside the plan', async () => {
    const plan = await askPlan('# Plan');
    const removal = await askApproval('make deploy');
    await beckon.answer(plan.id, { decision: 'adjust' }, ADA);
    expect(await say('yes')).toBe('Response received.');
    expect(await say('yes')).toMatch(/^You sent "yes" a moment ago/);
    await expectPending(removal);
  });

  test('a "no" that was sent twice asks for feedback once, and is not the feedback', async () => {
    const plan = await askPlan('# Plan');
    expect(await say('no')).toBe('Response received.');
    expect(await say('no')).toMatch(/^You sent "no" a moment ago/);
    expect(await beckon.get(plan.id)).toMatchObject({ status: 'pending', awaitingFeedback: true });
  });

  test('where the answer was refused, the same words can be sent again at once', async () => {
    const first = await askApproval('ls');
    const losing = new Proxy(beckon, {
      get: (target, name) => {
        if (name === 'answer') {
          return async (...values: Parameters<Beckon['answer']>) => {
            await beckon.cancel({ id: first.id });
            return beckon.answer(...values);
          };
        }
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    router = new TextRouter(losing, { now: () => now });
    expect(await say('yes')).toBeNull();
    const second = await askApproval('pwd');
    expect(await say('yes')).toBe('Response received.');
    expect(await beckon.get(second.id)).toMatchObject({ answer: { decision: 'allow' } });
  });
});

test('a form that nobody saw here is not in the way, and one that they saw is', async () => {
  const form = await beckon.ask({ kind: 'form', chatId: 'ops', request: { message: 'Who?', schema: {} } });
  const approval = await askApproval('ls');
  expect(await say('yes')).toMatch(/^Which one is "yes" for\?/);
  unseen.add(form.id);
  expect(await say('yes')).toMatch(/^Response received\./);
  expect(await beckon.get(approval.id)).toMatchObject({ answer: { decision: 'allow' } });
  unseen.clear();
  expect(await say('yes')).toBeNull();
});

describe('what is dangerous', () => {
  const FORCE = 'git push --force origin main';
  const EXPLAINED = /^Dangerous: .+\. A plain yes does not allow this\. To allow it, write: allow anyway$/;

  test('is not allowed by a plain yes, however often, and is by the words', async () => {
    const asked = await askApproval(FORCE);
    expect(await say('yes')).toMatch(EXPLAINED);
    expect(await say('yes')).toMatch(EXPLAINED);
    expect(await say('y', BOB)).toMatch(EXPLAINED);
    expect(await say('ok', ADA, { replyTo: asked.id })).toMatch(EXPLAINED);
    await expectPending(asked);
    expect(await say('Allow anyway')).toBe('Response received.');
    expect(await beckon.get(asked.id)).toMatchObject({ answer: { decision: 'allow' } });
  });

  test('is denied by a no, and by any other words', async () => {
    const asked = await askApproval(FORCE);
    expect(await say('no')).toBe('Response received.');
    expect(await beckon.get(asked.id)).toMatchObject({ answer: { decision: 'deny' } });
    const next = await askApproval(FORCE);
    expect(await say('yes, anyway')).toBe('Response received.');
    expect(await beckon.get(next.id)).toMatchObject({ answer: { decision: 'deny', message: 'yes, anyway' } });
  });

  test('is not allowed by a held yes and its number', async () => {
    const asked = [await askApproval(FORCE), await askApproval('npm test')];
    expect(await say('yes')).toMatch(/^Which one is "yes" for\?/);
    expect(await say('1')).toMatch(/^Dangerous: [^]+Your earlier text was not used: "yes"$/);
    await expectPending(...asked);
  });

  test('does not take over the words for another one that were sent a moment ago', async () => {
    const first = await askApproval(FORCE);
    expect(await say('allow anyway')).toBe('Response received.');
    const second = await askApproval(`${FORCE} --tags`);
    expect(await say('allow anyway')).toMatch(/^You sent "allow anyway" a moment ago/);
    expect(await beckon.get(first.id)).toMatchObject({ status: 'answered' });
    await expectPending(second);
  });
});
