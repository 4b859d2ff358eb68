import { expect, test } from 'vitest';
import { type Attempt, comeBack } from './come-back.ts';
import type { PostReply } from './hook-post.ts';

const MINUTES = 60_000;
const YES: PostReply = { result: 'replied', text: '{"continue":true}' };
const PENDING: PostReply = { result: 'pending' };
const LOST: PostReply = { result: 'lost' };
const GONE: PostReply = { result: 'refused', cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) };
const RESET = Object.assign(new Error('connect ECONNRESET'), { code: 'ECONNRESET' });
const BAD_GATEWAY: PostReply = { result: 'refused', status: 502 };
const NO: PostReply = { result: 'refused', status: 401, isBeckon: true };

test('a question is asked with everything until Beckon has it, then only the reply is fetched', async () => {
  const { reply, attempts } = await run([LOST, PENDING, PENDING, LOST, PENDING, YES]);
  expect(reply).toEqual(YES);
  expect(attempts.map(({ isKept, holdSeconds }) => [isKept, holdSeconds])).toEqual([
    [false, 2],
    [false, 2],
    [true, 25],
    [true, 25],
    [true, 25],
    [true, 25],
  ]);
  for (const { limitMs, holdSeconds } of attempts) expect(limitMs).toBeGreaterThan(holdSeconds * 1000);
});

test('a Beckon that cannot be connected to at first is not waited for', async () => {
  expect((await run([GONE])).reply).toEqual(GONE);
});

test.each([
  ['a proxy without its server', BAD_GATEWAY],
  ['too many requests', { result: 'refused', status: 429 } as const],
  ['a connection that breaks', LOST],
  ['a connection that breaks while it is made', { result: 'refused', cause: RESET } as const],
])('%s is tried again at first, with growing pauses, for half a minute', async (_, failure) => {
  const { reply, pauses, tookMs } = await run(Array.from({ length: 100 }, () => failure));
  expect(reply).toEqual(failure);
  expect(pauses.slice(0, 6)).toEqual([250, 500, 1000, 2000, 4000, 5000]);
  expect(tookMs).toBeGreaterThan(30_000);
  expect(tookMs).toBeLessThan(36_000);
});

test.each([
  ['nobody to connect to', GONE],
  ['a proxy without its server', BAD_GATEWAY],
  ['somebody else’s page', { result: 'refused' } as const],
  ['somebody else’s refusal', { result: 'refused', status: 401 } as const],
])('once Beckon has the question, %s is outlasted for five minutes', async (_, failure) => {
  const { reply, tookMs } = await run([PENDING, ...Array.from({ length: 100 }, () => failure)]);
  expect(reply).toEqual(failure);
  expect(tookMs).toBeGreaterThan(5 * MINUTES);
  expect(tookMs).toBeLessThan(6 * MINUTES);
});

test('every word from Beckon starts the five minutes again', async () => {
  const hour = Array.from({ length: 12 }, () => [...Array.from({ length: 50 }, () => LOST), PENDING]).flat();
  expect((await run([PENDING, ...hour, YES])).reply).toEqual(YES);
});

test.each([[[NO]], [[PENDING, NO]], [[PENDING, LOST, NO]]])(
  'a no from Beckon itself counts at once: %j',
  async (all) => {
    expect((await run(all)).reply).toEqual(NO);
  },
);

test('a server that does not hold anything is not asked without a pause', async () => {
  const { pauses } = await run([PENDING, PENDING, PENDING, YES], 10);
  expect(pauses).toEqual([990, 990, 990]);
});

/** Gives the replies one after another, and sees to it that the last one ends it. Attempts take `eachMs`. */
async function run(replies: readonly PostReply[], eachMs = 1000) {
  let now = 0;
  const pauses: number[] = [];
  const attempts: Attempt[] = [];
  const rest = [...replies];
  const reply = await comeBack(
    async (attempt) => {
      attempts.push(attempt);
      const isFailure = rest[0]?.result === 'lost' || rest[0]?.result === 'refused';
      now += isFailure ? 10 : eachMs;
      const next = rest.shift();
      if (next === undefined) throw new Error('It went on after the last reply');
      return next;
    },
    {
      now: () => now,
      sleep: async (ms) => {
        if (ms > 0) pauses.push(ms);
        now += ms;
      },
      random: () => 1,
    },
  );
  return { reply, pauses, attempts, tookMs: now };
}
