import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openBeckon } from '../open-beckon.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { AskInput } from '../protocol/interaction.ts';
import { createSqliteDatabase, type TestDatabase } from '../testing/harness/database.ts';
import type { Asked, Beckon } from './beckon.ts';
import { request } from './request.ts';

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
