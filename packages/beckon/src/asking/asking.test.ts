import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Asked, Beckon } from '../core/beckon.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import { ADA, PLACES, usePlace } from '../testing/harness/use-places.ts';
import { approve } from './approve.ts';
import type { AskingOptions } from './asking-options.ts';
import { choose } from './choose.ts';
import { fillIn } from './fill-in.ts';
import { NotAllowedError, requireApproval } from './require-approval.ts';
import { reviewPlan } from './review-plan.ts';

const SEATS = z.object({ seats: z.number() });

/** What every verb gives, as far as a test of all of them looks. */
interface Result {
  id?: string;
  because?: string | undefined;
  message?: string;
}

/** Every verb that waits, with an answer that says yes and what it then gives. */
const VERBS: Record<string, { run: Run; yes: AnswerInput; given: object }> = {
  approve: {
    run: (beckon, options) => approve(beckon, { tool: 'deploy', input: { stage: 'production' }, ...options }),
    yes: { decision: 'allow' },
    given: { allowed: true, input: { stage: 'production' } },
  },
  choose: {
    run: (beckon, options) => choose(beckon, 'Which environment?', ['staging', 'production'], options),
    yes: { selected: ['staging'] },
    given: { chosen: 'staging' },
  },
  fillIn: {
    run: (beckon, options) => fillIn(beckon, SEATS, { message: 'How many?', ...options }),
    yes: { values: { seats: 3 } },
    given: { values: { seats: 3 } },
  },
  reviewPlan: {
    run: (beckon, options) => reviewPlan(beckon, '# Plan', options),
    yes: { decision: 'yes' },
    given: { accepted: true, decision: 'edit', plan: '# Plan' },
  },
  requireApproval: {
    run: async (beckon, { key, ...options }) => {
      const deploy = (input: { stage: string }): object => ({ deployed: input.stage });
      const guarded = requireApproval(beckon, deploy, { ...options, ...(key !== undefined && { key: () => key }) });
      return guarded({ stage: 'production' }).catch((error: unknown) => {
        if (error instanceof NotAllowedError) return error.verdict;
        throw error;
      });
    },
    yes: { decision: 'allow' },
    given: { deployed: 'production' },
  },
};
// oxlint-disable-next-line typescript/no-explicit-any -- only options that fit every kind are used here
type Run = (beckon: Beckon, options: AskingOptions<any>) => Promise<Result>;

/** Whatever says that the person agreed. */
const ANSWERS = ['chosen', 'values', 'plan', 'input', 'deployed', 'text', 'answeredBy'];

describe.each(PLACES)('%s', (name) => {
  const place = usePlace(name);

  describe.each(Object.entries(VERBS))('%s', (_, { run, yes, given }) => {
    test('gives what the person answered', async () => {
      const asked: Asked[] = [];
      const result = await run(place.agent, {
        chatId: 'ops',
        sessionId: 'run-7',
        metadata: { agent: 'builder' },
        context: { project: 'shop' },
        remindAfter: '5m',
        timeout: '1h',
        key: 'call-1',
        onAsked: (interaction) => {
          asked.push(interaction);
          void place.person.answer(interaction.id, yes, ADA);
        },
      });
      expect(result).toMatchObject(given);
      expect(result.because).toBeUndefined();
      expect(asked).toMatchObject([
        {
          chatId: 'ops',
          sessionId: 'run-7',
          metadata: { agent: 'builder' },
          context: { project: 'shop' },
          idempotencyKey: 'call-1',
        },
      ]);
      const { createdAt, expiresAt } = asked[0]!;
      expect(Date.parse(expiresAt!) - Date.parse(createdAt)).toBe(3_600_000);
    });

    test('says that it expired when nobody answers in time', async () => {
      const result = await run(place.agent, { timeout: 0.01 });
      expect(result).toMatchObject({ because: 'expired', message: 'Nobody answered in time.' });
      expect(Object.keys(result).filter((field) => ANSWERS.includes(field))).toEqual([]);
    });

    test.each([
      ['with a reason', 'wrong branch', 'The request was cancelled without an answer: wrong branch'],
      ['without one', undefined, 'The request was cancelled without an answer.'],
    ])('says that it was cancelled %s', async (__, reason, message) => {
      const result = await run(place.agent, {
        onAsked: ({ id }) => void place.person.cancel({ id }, reason),
      });
      expect(result).toMatchObject({ because: 'cancelled', message });
      expect(Object.keys(result).filter((field) => ANSWERS.includes(field))).toEqual([]);
    });

    test('says that it ended elsewhere', async () => {
      const result = await run(place.agent, {
        onAsked: ({ id }) => void place.person.supersede(id, 'answered in the editor'),
      });
      expect(result).toMatchObject({
        because: 'superseded',
        message: 'The request ended elsewhere, without an answer here: answered in the editor',
      });
      expect(Object.keys(result).filter((field) => ANSWERS.includes(field))).toEqual([]);
    });

    test('refuses an option that it does not know', async () => {
      const misspelled = { timeOut: '1h' } as object;
      await expect(run(place.agent, misspelled)).rejects.toMatchObject({
        code: 'invalid_input',
        problems: [{ path: 'timeOut' }],
      });
    });

    test('asks nothing when it was aborted before', async () => {
      const left = new Error('I left');
      await expect(run(place.agent, { signal: AbortSignal.abort(left) })).rejects.toBe(left);
      expect((await place.person.list()).items).toEqual([]);
    });

    test('takes the request back when it is aborted while it waits', async () => {
      const abort = new AbortController();
      const left = new Error('I left');
      const running = run(place.agent, { signal: abort.signal, onAsked: () => setImmediate(() => abort.abort(left)) });
      await expect(running).rejects.toBe(left);
      expect((await place.person.list()).items).toMatchObject([{ status: 'superseded' }]);
    });

    test('leaves an answer alone that came before it was aborted', async () => {
      const abort = new AbortController();
      const result = await run(place.agent, {
        signal: abort.signal,
        onAsked: ({ id }) => void place.person.answer(id, yes, ADA),
      });
      abort.abort();
      expect(result).toMatchObject(given);
      expect((await place.person.list()).items).toMatchObject([{ status: 'answered' }]);
    });

    /** Asks with a key, and dies while it waits. */
    async function askAndDie(): Promise<string> {
      const { promise, resolve } = Promise.withResolvers<string>();
      const first = run(place.agent, { key: 'call-1', onAsked: ({ id }) => resolve(id) });
      const id = await promise;
      await Promise.all([expect(first).rejects.toMatchObject({ code: 'closed' }), place.restart()]);
      return id;
    }

    test('finds the answer after a restart by its key, and asks nobody twice', async () => {
      const id = await askAndDie();
      await place.person.answer(id, yes, ADA);
      await place.restart();
      expect(await run(place.agent, { key: 'call-1' })).toMatchObject(given);
      expect((await place.person.list()).items).toHaveLength(1);
    });

    test('waits for the open request after a restart by its key', async () => {
      const id = await askAndDie();
      const result = await run(place.agent, {
        key: 'call-1',
        onAsked: (asked) => {
          expect(asked).toMatchObject({ id, status: 'pending' });
          void place.person.answer(id, yes, ADA);
        },
      });
      expect(result).toMatchObject(given);
      expect((await place.person.list()).items).toHaveLength(1);
    });
  });
});
