import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HookDialect } from '../../adapters/hooks/hook-dialect.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { until } from '../suites/until.ts';
import { findPending } from './find-pending.ts';
import { createTestApp, type TestApp } from './server/test-app.ts';

/** A hook as the client sends it; `event` where the hook command has to name it. */
export interface Sample {
  payload: JsonObject;
  event?: string;
}

/** What a client is held to, with payloads of the real one. */
export interface DialectList {
  /** Hooks that ask: what people see, and the reply to what they say. */
  asks: (Sample & {
    name: string;
    request: object;
    replies: { answer: AnswerInput; reply: JsonObject }[];
  })[];
  /** Reports that the first of those calls ran; `null` if the client's hooks do not say that. */
  ran: Sample | null;
  /** Hooks after which what the session asked is over. */
  ends: Sample[];
  /** Hooks that ask nothing and end nothing. */
  reports: Sample[];
}

/** Holds a dialect to a list, through the route that the hook command uses. */
export function testDialect(dialect: HookDialect, list: DialectList): void {
  let server: TestApp;
  beforeEach(async () => {
    server = await createTestApp();
  });
  afterEach(() => server.dispose());

  /** Sends a hook as the hook command does. */
  const send = async ({ payload, event }: Sample, query = '', key?: string) =>
    server.inject({
      method: 'POST',
      url: `/hooks/${dialect.path}?${query}`,
      headers: {
        authorization: `Bearer ${server.tokens.agent}`,
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      payload: event === undefined ? payload : dialect.toHook(payload, event),
    });
  const statusOf = async ({ id }: Interaction) => (await server.beckon.get(id))?.status;
  const [first] = list.asks;
  if (first === undefined) throw new Error('A dialect has to ask for something');
  /** Asks for the first call, and leaves it open, as a hook does that may come back. */
  const leaveOpen = async (): Promise<Interaction> => {
    expect(await send(first, 'hold=1', 'call-1')).toMatchObject({ status: 202 });
    return findPending(server.beckon);
  };

  for (const asked of list.asks) {
    describe(asked.name, () => {
      test('is asked', async () => {
        void send(asked, 'timeout=5m');
        const found = await findPending(server.beckon);
        expect(found).toMatchObject({ request: asked.request, metadata: { agent: dialect.agent } });
        expect(found.metadata?.['cwd']).toBe(asked.payload['cwd']);
      });

      test.each(asked.replies)('$answer becomes $reply', async ({ answer, reply }) => {
        const sent = send(asked, 'timeout=5m');
        const { id } = await findPending(server.beckon);
        await server.beckon.answer(id, answer, { who: 'ana', via: 'test' });
        expect(await sent).toMatchObject({ status: 200, body: reply });
        expect((await sent).body).toEqual(reply);
      });

      test('without an answer the client goes on by itself', async () => {
        expect(await send(asked, 'timeout=1')).toMatchObject({ status: 200, body: {} });
        expect((await send(asked, 'timeout=1')).body).toEqual({});
      });
    });
  }

  test('what the terminal settled is settled', async () => {
    if (list.ran === null) return;
    const asked = await leaveOpen();
    expect(await send(list.ran)).toMatchObject({ status: 200, body: {} });
    expect(await server.beckon.get(asked.id)).toMatchObject({
      status: 'answered',
      answer: { decision: 'allow' },
      answeredBy: { via: 'terminal' },
    });
  });

  test.each(list.ends)('the session went on: $event$payload.hook_event_name', async (sample) => {
    const asked = await leaveOpen();
    expect(await send(sample)).toMatchObject({ status: 200, body: {} });
    await until(async () => expect(await statusOf(asked)).toBe('superseded'));
  });

  test.each(list.reports)('is only kept: $event$payload.hook_event_name', async (sample) => {
    const asked = await leaveOpen();
    const seq = await server.store.lastSeq();
    expect((await send(sample)).body).toEqual({});
    expect(await server.store.lastSeq()).toBeGreaterThan(seq);
    expect(await statusOf(asked)).toBe('pending');
  });

  test.each([
    ['nothing', {}],
    ['a list for an input', { tool_input: ['x'], toolInput: ['x'] }],
    ['a number for a tool', { tool_name: 7, toolName: 7 }],
    ['an object for a session', { session_id: {}, sessionId: {} }],
  ])('a hook with %s asks for nothing that it does not say', async (name, wrong) => {
    const payload = name === 'nothing' ? {} : { ...first.payload, ...wrong };
    const reply = await send({ payload, ...(first.event !== undefined && { event: first.event }) }, 'timeout=1');
    expect([200, 400]).toContain(reply.status);
    expect(dialect.isAllow(reply.body)).toBe(false);
  });
}
