import { expect, test } from 'vitest';
import type { PostReply } from './hook-post.ts';
import { sendUntilReplied } from './send-until-replied.ts';

const MINUTES = 60_000;
const YES: PostReply = { result: 'replied', text: '{"continue":true}' };

test('a question outlives every restart of Beckon, however long it waits between them', async () => {
  const lost: [PostReply, number] = [{ result: 'lost' }, 60 * MINUTES];
  const gone: [PostReply, number] = [{ result: 'refused' }, MINUTES];
  expect(await run([lost, gone, gone, lost, gone, lost, [YES, 0]])).toEqual(YES);
});

test('a Beckon that never ran is not waited for', async () => {
  expect(await run([[{ result: 'refused' }, 0]])).toEqual({ result: 'refused' });
});

test.each([
  ['is gone', { result: 'refused' } as const],
  ['comes back only to say that it stops', { result: 'lost' } as const],
])('a Beckon that %s is waited for during five minutes', async (_, reply) => {
  const lost: [PostReply, number] = [{ result: 'lost' }, 60 * MINUTES];
  expect(await run([lost, [reply, 100], [reply, 0]], 3 * MINUTES)).toEqual(reply);
});

/** Gives the replies one after another, each after its time in milliseconds, and sees to it that all were asked for. */
async function run(replies: [PostReply, number][], sleepMs?: number): Promise<PostReply> {
  let now = 0;
  const rest = [...replies];
  const last = await sendUntilReplied(
    async () => {
      const [reply, takesMs] = rest.shift() ?? [{ result: 'refused' }, 0];
      now += takesMs;
      return reply;
    },
    {
      now: () => now,
      sleep: async (ms) => {
        now += sleepMs ?? ms;
      },
    },
  );
  expect(rest).toEqual([]);
  return last;
}
