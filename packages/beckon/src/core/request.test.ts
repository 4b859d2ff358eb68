import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openBeckon } from '../open-beckon.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { AskInput } from '../protocol/interaction.ts';
import { createSqliteDatabase, type TestDatabase } from '../testing/harness/database.ts';
import { until } from '../testing/suites/until.ts';
import type { Asked, Beckon } from './beckon.ts';
import { request, requestGroup } from './request.ts';

const DEPLOY = { kind: 'approval', request: { tool: 'deploy' } } satisfies AskInput;
const ANA = { who: 'ana', via: 'test' };

let database: TestDatabase;
let beckon: Beckon;

beforeEach(async () => {
  database = await createSqliteDatabase();
  beckon = await openBeckon({ store: database.url });
});
afterEach(async () => {
  await beckon.close();
  await database.dispose();
});

describe('request', () => {
  test('asks, waits, and gives the answer', async () => {
    const settled = await request(beckon, DEPLOY, {
      onAsked: ({ id }) => void beckon.answer(id, { decision: 'allow' }, ANA),
    });
    expect(settled).toMatchObject({ status: 'answered', answer: { decision: 'allow' }, answeredBy: { who: 'ana' } });
  });

  test('gives an outcome that is not an answer as a value', async () => {
    expect(await request(beckon, { ...DEPLOY, timeout: 0.01 })).toMatchObject({ status: 'expired' });
  });

  test('finds the answer of an earlier request with the same key', async () => {
    const input = { ...DEPLOY, idempotencyKey: 'call-1' };
    const { id } = await beckon.ask(input);
    await beckon.answer(id, { decision: 'deny' }, ANA);
    const heard: Asked[] = [];
    const settled = await request(beckon, input, { onAsked: (asked) => heard.push(asked) });
    expect(settled).toMatchObject({ id, status: 'answered', answer: { decision: 'deny' } });
    expect(heard).toMatchObject([{ id }]);
  });

  test('asks nothing when it is aborted beforehand', async () => {
    await expect(request(beckon, DEPLOY, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
    expect((await beckon.list()).items).toEqual([]);
  });

  test.each([
    ['the default reason', {}, 'The agent no longer waits for it'],
    ['its own reason', { reason: 'Ctrl-C' }, 'Ctrl-C'],
  ])(
    'is superseded with %s when it is aborted, and rejects with the reason of the signal',
    async (_, options, reason) => {
      const abort = new AbortController();
      const left = new Error('I left');
      let id = '';
      const requested = request(beckon, DEPLOY, {
        ...options,
        signal: abort.signal,
        onAsked: (asked) => {
          id = asked.id;
          setImmediate(() => abort.abort(left));
        },
      });
      await expect(requested).rejects.toBe(left);
      expect(await beckon.get(id)).toMatchObject({ status: 'superseded', reason });
    },
  );

  test('is superseded when it is aborted before the wait begins', async () => {
    const abort = new AbortController();
    const requested = request(beckon, DEPLOY, { signal: abort.signal, onAsked: () => abort.abort() });
    await expect(requested).rejects.toMatchObject({ name: 'AbortError' });
    expect((await beckon.list()).items).toMatchObject([{ status: 'superseded' }]);
  });

  test.each([
    ['Beckon stops', { error: new BeckonError('closed', 'Beckon stops') }],
    ['its agent comes back for it', { error: new Error('I left'), keep: true }],
  ])('stays pending when it is aborted because %s', async (_, { error, ...options }) => {
    const abort = new AbortController();
    const requested = request(beckon, DEPLOY, { ...options, signal: abort.signal, onAsked: () => abort.abort(error) });
    await expect(requested).rejects.toBe(error);
    expect((await beckon.list()).items).toMatchObject([{ status: 'pending' }]);
  });

  test('says why it could not be taken back when it is aborted', async () => {
    const abort = new AbortController();
    const requested = request(beckon, DEPLOY, {
      signal: abort.signal,
      onAsked: () => {
        void beckon.close();
        abort.abort(new Error('I left'));
      },
    });
    await expect(requested).rejects.toMatchObject({ code: 'closed' });
  });

  test('stays pending when Beckon closes', async () => {
    const requested = request(beckon, DEPLOY, {
      signal: new AbortController().signal,
      onAsked: () => void beckon.close(),
    });
    await expect(requested).rejects.toMatchObject({ code: 'closed' });
    beckon = await openBeckon({ store: database.url });
    expect((await beckon.list()).items).toMatchObject([{ status: 'pending' }]);
  });

  test('stays as it is when the one who hears of it throws', async () => {
    const refuse = (): never => {
      throw new Error('not mine');
    };
    await expect(request(beckon, DEPLOY, { onAsked: refuse })).rejects.toThrow('not mine');
    expect((await beckon.list()).items).toMatchObject([{ status: 'pending' }]);
  });
});

const QUESTIONS = ['Which?', 'Why?', 'When?'].map(
  (question, index) =>
    ({ kind: 'question', request: { question }, idempotencyKey: `call:${index}` }) satisfies AskInput,
);

describe('requestGroup', () => {
  test('asks all in one commit, waits for all, and hears of each as it is settled', async () => {
    const heard: string[] = [];
    let asked: readonly Asked[] = [];
    const requested = requestGroup(beckon, QUESTIONS, {
      onAsked: (steps) => {
        asked = steps;
        void beckon.answerGroup(steps[0]!.groupId!, toAnswers(steps.slice(1)), ANA);
      },
      onSettled: ({ id }) => heard.push(id),
    });
    await until(() => expect(heard).toEqual([asked[1]!.id, asked[2]!.id]));
    expect(asked.map(({ metadata }) => metadata)).toMatchObject([{ step: 1, steps: 3 }, { step: 2 }, { step: 3 }]);
    await beckon.answer(asked[0]!.id, { text: 'last' }, ANA);
    expect((await requested).map(({ answer }) => answer)).toEqual([{ text: 'last' }, { text: '0' }, { text: '1' }]);
  });

  test('a single request is no group', async () => {
    const heard: string[] = [];
    const [settled] = await requestGroup(beckon, [DEPLOY], {
      onAsked: ([asked]) => void beckon.answer(asked!.id, { decision: 'allow' }, ANA),
      onSettled: ({ status }) => heard.push(status),
    });
    expect(settled).toMatchObject({ status: 'answered', answer: { decision: 'allow' } });
    expect(settled).not.toHaveProperty('groupId');
    expect(heard).toEqual(['answered']);
    expect(await requestGroup(beckon, [{ ...DEPLOY, timeout: 0.01 }])).toMatchObject([{ status: 'expired' }]);
  });

  test('finds what was answered before, and waits only for the rest', async () => {
    const steps = await beckon.askGroup(QUESTIONS);
    await beckon.answerGroup(steps[0]!.groupId!, toAnswers(steps.slice(0, 2)), ANA);
    const settled = await requestGroup(beckon, QUESTIONS, {
      onAsked: (again) => void beckon.answer(again[2]!.id, { text: 'now' }, ANA),
    });
    expect(settled.map(({ id }) => id)).toEqual(steps.map(({ id }) => id));
    expect(settled.map(({ answer }) => answer)).toEqual([{ text: '0' }, { text: '1' }, { text: 'now' }]);
  });

  test('gives what expired beside what was answered', async () => {
    const timed = QUESTIONS.map((input) => ({ ...input, timeout: 0.2 }));
    const settled = await requestGroup(beckon, timed, {
      onAsked: (steps) => void beckon.answer(steps[1]!.id, { text: 'me' }, ANA),
    });
    expect(settled.map(({ status }) => status)).toEqual(['expired', 'answered', 'expired']);
  });

  test.each([
    ['cancelled', (id: string) => beckon.cancel({ id }), 'Another question of the same call was cancelled'],
    ['superseded', (id: string) => beckon.supersede(id), 'Another question of the same call ended elsewhere'],
  ] as const)('one that is %s ends the rest, and what was answered stays', async (status, end, reason) => {
    const settled = await requestGroup(beckon, QUESTIONS, {
      onAsked: (steps) => {
        void beckon.answer(steps[0]!.id, { text: 'kept' }, ANA);
        void end(steps[1]!.id);
      },
    });
    expect(settled).toMatchObject([{ status: 'answered' }, { status }, { status: 'superseded', reason }]);
  });

  test('asks nothing when it is aborted beforehand', async () => {
    await expect(requestGroup(beckon, QUESTIONS, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
    expect((await beckon.list()).items).toEqual([]);
  });

  test.each([
    ['the default reason', {}, 'The agent no longer waits for it'],
    ['its own reason', { reason: 'Ctrl-C' }, 'Ctrl-C'],
  ])('everything pending is superseded with %s when it is aborted', async (_, options, reason) => {
    const abort = new AbortController();
    const left = new Error('I left');
    const requested = requestGroup(beckon, QUESTIONS, {
      ...options,
      signal: abort.signal,
      onAsked: (steps) => void beckon.answer(steps[0]!.id, { text: 'kept' }, ANA),
      onSettled: () => abort.abort(left),
    });
    await expect(requested).rejects.toBe(left);
    const { items } = await beckon.list();
    expect(items.toReversed()).toMatchObject([
      { status: 'answered' },
      { status: 'superseded', reason },
      { status: 'superseded', reason },
    ]);
  });

  test.each([
    ['Beckon stops', { error: new BeckonError('closed', 'Beckon stops') }],
    ['its agent comes back for it', { error: new Error('I left'), keep: true }],
  ])('everything stays pending when it is aborted because %s', async (_, { error, ...options }) => {
    const abort = new AbortController();
    const onAsked = (): void => abort.abort(error);
    const requested = requestGroup(beckon, QUESTIONS, { ...options, signal: abort.signal, onAsked });
    await expect(requested).rejects.toBe(error);
    expect((await beckon.list({ status: 'pending' })).items).toHaveLength(3);
  });

  test('rejects without a signal when Beckon closes', async () => {
    const requested = requestGroup(beckon, QUESTIONS, { onAsked: () => void beckon.close() });
    await expect(requested).rejects.toMatchObject({ code: 'closed' });
  });
});

function toAnswers(steps: readonly Asked[]): { id: string; answer: { text: string } }[] {
  return steps.map(({ id }, index) => ({ id, answer: { text: String(index) } }));
}
