import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { connectBeckon } from '../connect-beckon.ts';
import type { Beckon } from '../core/beckon.ts';
import { LINE_GREETING, LINE_LIMITS } from '../protocol/line.ts';
import { toTokenParts } from '../runtime/token-text.ts';
import { until } from '../testing/harness/server/clients.ts';
import { createTestApp, QUESTION, type TestApp, type TokenName } from '../testing/harness/server/test-app.ts';

const ADA = { who: 'ada', via: 'phone' };

let server: TestApp;
let url: string;
let beckons: Beckon[];
beforeEach(async () => {
  server = await createTestApp({ times: { goodbyeMs: 200, firstRefusalMs: 1, heartbeatMs: 1000 } });
  url = await server.listen();
  beckons = [];
});
afterEach(async () => {
  await Promise.all(beckons.map((beckon) => beckon.close()));
  await server.dispose();
});

/** A client that has nothing but a line: what it cannot carry is not sent in any other way. */
function connect(as: TokenName): Beckon {
  const beckon = connectBeckon(url, { token: server.tokens[as], retryFor: 0 });
  beckons.push(beckon);
  return beckon;
}

/** Opens a line by hand, past its greeting. */
async function openLine(as: TokenName): Promise<{ socket: WebSocket; next(): Promise<unknown> }> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/ws?calls=1`, {
    headers: { authorization: `Bearer ${server.tokens[as]}` },
  });
  const texts: string[] = [];
  socket.on('message', (data: Buffer) => texts.push(data.toString()));
  const next = async (): Promise<unknown> => {
    await until('a frame', () => texts.length > 0);
    return JSON.parse(texts.shift() ?? '');
  };
  expect(await next()).toEqual(JSON.parse(LINE_GREETING));
  return { socket, next };
}

describe('the rights of a line', () => {
  test('an agent asks, and sees, waits for and ends only what it asked itself', async () => {
    const agent = connect('agent');
    const mine = await agent.ask(QUESTION);
    const other = await server.beckon.ask({ ...QUESTION, askedBy: 'reviewer' });
    expect(await agent.get(mine.id)).toEqual(mine);
    expect(await agent.get(other.id)).toBeNull();
    await expect(agent.wait(other.id)).rejects.toMatchObject({ code: 'interaction_not_found' });
    expect(await agent.cancel({ id: other.id })).toEqual([]);
    expect(await agent.supersede(other.id)).toBe(false);
    expect(await server.beckon.get(other.id)).toMatchObject({ status: 'pending' });
    await expect(agent.answer(mine.id, { text: 'yes' }, ADA)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(agent.events()[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('a person answers and does not ask, and within the chat of the token', async () => {
    const person = connect('teamPerson');
    await expect(person.ask(QUESTION)).rejects.toMatchObject({ code: 'forbidden' });
    const theirs = await server.beckon.ask({ ...QUESTION, chatId: 'team' });
    const elsewhere = await server.beckon.ask(QUESTION);
    expect(await person.answer(elsewhere.id, { text: 'yes' }, ADA)).toEqual({ result: 'unknown', interaction: null });
    expect(await person.answer(theirs.id, { text: 'yes' }, ADA)).toMatchObject({
      result: 'accepted',
      interaction: { answeredBy: { who: 'team-ana', via: 'api', claim: { who: 'ada', via: 'phone' } } },
    });
    await expect(person.wait(elsewhere.id)).rejects.toMatchObject({ code: 'interaction_not_found' });
    const events = person.events({ after: 0 })[Symbol.asyncIterator]();
    expect((await events.next()).value).toMatchObject({ seq: 1, interactionId: theirs.id });
    expect((await events.next()).value).toMatchObject({ type: 'interaction.answered', interactionId: theirs.id });
  });

  test('a person who may only answer changes nothing that runs', async () => {
    const token = await server.issuedTokens.create({ name: 'bo', role: 'person', answerOnly: true });
    const person = connectBeckon(url, { token, retryFor: 0 });
    beckons.push(person);
    const { id } = await server.beckon.ask({ kind: 'approval', request: { tool: 'Bash', input: { command: 'ls' } } });
    for (const more of [{ updatedInput: { command: 'rm -rf /' } }, { remember: true }])
      await expect(person.answer(id, { decision: 'allow', ...more }, ADA)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await server.beckon.get(id)).toMatchObject({ status: 'pending' });
    expect(await person.answer(id, { decision: 'allow' }, ADA)).toMatchObject({ result: 'accepted' });
  });

  test('an agent asks in the chat of its token alone', async () => {
    const agent = connect('teamAgent');
    expect(await agent.ask(QUESTION)).toMatchObject({ chatId: 'team', askedBy: 'team-builder' });
    await expect(agent.ask({ ...QUESTION, chatId: 'other' })).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('a token that is revoked ends waits and calls as over HTTP, and nothing of them stays', async () => {
    const agent = connect('agent');
    const { id } = await agent.ask(QUESTION);
    const waiting = agent.wait(id);
    const failure = waiting.catch((error: unknown) => error);
    await until('the wait is held', async () => /^beckon_waits_held 1$/m.test(await readMetrics()));
    await server.issuedTokens.revoke(toTokenParts(server.tokens.agent)?.id ?? '');
    expect(await failure).toMatchObject({ code: 'unauthorized' });
    await expect(agent.ask(QUESTION)).rejects.toMatchObject({ code: 'unauthorized' });
    await until('nothing is held', async () => /^beckon_waits_held 0$/m.test(await readMetrics()));
  });

  test('without the query an agent gets no WebSocket, as before', async () => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/ws`, {
      headers: { authorization: `Bearer ${server.tokens.agent}` },
    });
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
    expect(response.statusCode).toBe(403);
  });

  async function readMetrics(): Promise<string> {
    return (await server.send('admin', 'GET', '/metrics')).text;
  }
});

describe('the frames of a line', () => {
  test('calls of one frame get the replies that their HTTP requests would get', async () => {
    const { socket, next } = await openLine('admin');
    const body = { kind: 'question', request: { question: 'Deploy?' } };
    socket.send(
      JSON.stringify([
        [1, 'ask', null, body],
        [2, 'ask', null, { kind: 'question' }],
        [3, 'get', 'int_none'],
        [4, 'dance', null],
      ]),
    );
    const replies: [number, number, { code?: string; status?: unknown }][] = [];
    while (replies.length < 4) replies.push(...((await next()) as typeof replies));
    const byRef = new Map(replies.map(([ref, status, reply]) => [ref, [status, reply.code ?? reply.status]]));
    expect(byRef.get(1)).toEqual([200, 'pending']);
    expect(byRef.get(2)).toEqual([400, 'invalid_input']);
    expect(byRef.get(3)).toEqual([404, 'interaction_not_found']);
    expect(byRef.get(4)).toEqual([400, 'invalid_input']);
    socket.close();
  });

  test.each([
    ['no JSON', '['],
    ['no array', '{}'],
    ['no calls', '[1]'],
    ['no number', '[["a","get","int_1"]]'],
    ['a name twice', '[[1,"ask",null,{"kind":"question","kind":"approval"}]]'],
    ['a name twice that makes a long reason', `[[1,"ask",null,{"${'名'.repeat(90)}":1,"${'名'.repeat(90)}":2}]]`],
  ])('a frame with %s ends the line', async (_, text) => {
    const { socket } = await openLine('admin');
    socket.send(text);
    expect((await once(socket, 'close'))[0]).toBe(1008);
  });

  test('large requests are read a few at a time, so all of them arrive, however many are wanted at once', async () => {
    const { socket, next } = await openLine('admin');
    const { id } = await server.beckon.ask({ kind: 'plan_review', request: { plan: 'x'.repeat(500_000) } });
    const refs = Array.from({ length: 400 }, (_, index) => index);
    const readAll = async (): Promise<void> => {
      const open = new Set(refs);
      while (open.size > 0) {
        for (const [ref, , body] of (await next()) as [number, number, { request: { plan: string } }][]) {
          expect(body.request.plan.length).toBe(500_000);
          expect(open.delete(ref)).toBe(true);
        }
      }
    };
    socket.send(JSON.stringify(refs.map((ref) => [ref, 'get', id])));
    await readAll();
    await server.beckon.cancel({ id });
    socket.send(JSON.stringify(refs.map((ref) => [ref, 'wait', id])));
    await readAll();
    socket.close();
  });

  test('a client that reads slowly is not taken for dead while replies wait for it', async () => {
    const { socket, next } = await openLine('admin');
    const { id } = await server.beckon.ask({ kind: 'plan_review', request: { plan: 'x'.repeat(500_000) } });
    socket.pause();
    socket.send(JSON.stringify(Array.from({ length: 100 }, (_, ref) => [ref, 'get', id])));
    // Longer than a connection lives whose pings are not answered.
    await new Promise((resolve) => void setTimeout(resolve, 2500));
    socket.resume();
    const statuses: number[] = [];
    while (statuses.length < 100) for (const [, status] of (await next()) as [number, number][]) statuses.push(status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    socket.close();
  });

  test('an id that cannot be one is refused as over HTTP, and holds nothing', async () => {
    const { socket, next } = await openLine('admin');
    const ids = ['', 'a\u0000b', 'x'.repeat(201), null, { id: 1 }];
    socket.send(
      JSON.stringify(
        ids.flatMap((id, index) => [
          [index, 'get', id],
          [index + 100, 'wait', id],
        ]),
      ),
    );
    const replies: unknown[] = [];
    while (replies.length < 2 * ids.length) replies.push(...((await next()) as unknown[]));
    for (const reply of replies) expect(reply).toMatchObject([expect.any(Number), 400, { code: 'invalid_input' }]);
    expect((await server.send('admin', 'GET', '/metrics')).text).toMatch(/^beckon_waits_held 0$/m);
    socket.close();
  });

  test('a frame that is too large ends the line', async () => {
    const { socket } = await openLine('admin');
    socket.send(`["${'x'.repeat(1_100_000)}"]`);
    expect((await once(socket, 'close'))[0]).toBe(1009);
  });

  test('more waits than a line may hold are refused, and a wait that is dropped leaves room', async () => {
    const { socket, next } = await openLine('admin');
    const { id } = await server.beckon.ask(QUESTION);
    const refs = Array.from({ length: LINE_LIMITS.waits }, (_, index) => index + 1);
    for (let from = 0; from < refs.length; from += 5000) {
      socket.send(JSON.stringify(refs.slice(from, from + 5000).map((ref) => [ref, 'wait', id])));
    }
    const last = refs.length + 1;
    socket.send(JSON.stringify([[last, 'wait', id]]));
    expect(await next()).toMatchObject([[last, 429, { code: 'too_many_requests' }]]);
    socket.send(
      JSON.stringify([
        [1, 'drop'],
        [last, 'wait', id],
        [last + 1, 'get', id],
      ]),
    );
    expect(await next()).toMatchObject([[last + 1, 200, { id }]]);
    socket.close();
  });

  test('all lines together hold a limited number of waits, and each that ends makes room', async () => {
    await server.dispose();
    server = await createTestApp({ mostLineWaits: 3 });
    url = await server.listen();
    const lines = [await openLine('admin'), await openLine('agent')] as const;
    const { id } = await server.beckon.ask({ ...QUESTION, askedBy: 'builder' });
    const untilHeld = (waits: number) =>
      until('waits', async () => (await server.send('admin', 'GET', '/metrics')).text.includes(`_held ${waits}\n`));
    lines[0].socket.send(JSON.stringify([1, 2, 3].map((ref) => [ref, 'wait', id])));
    await untilHeld(3);
    const refused = async (ref: number): Promise<boolean> => {
      const calls = [
        [ref, 'wait', id],
        [ref + 100, 'get', id],
      ];
      lines[1].socket.send(JSON.stringify(calls));
      const replies: [number, number, object][] = [];
      while (!replies.some(([one]) => one === ref + 100)) replies.push(...((await lines[1].next()) as typeof replies));
      return replies.some(([one, status]) => one === ref && status === 429);
    };
    expect(await refused(1)).toBe(true);
    lines[0].socket.send('[[1,"drop"],[2,"drop"]]');
    await untilHeld(1);
    expect(await refused(2)).toBe(false);
    lines[0].socket.close();
    await untilHeld(1);
    expect([await refused(3), await refused(4), await refused(5)]).toEqual([false, false, true]);
    await server.beckon.cancel({ id });
    await untilHeld(0);
    expect(await refused(6)).toBe(false);
    lines[1].socket.close();
  });

  test('what is begun twice under one number is held once, and does not pass the limits', async () => {
    const { socket, next } = await openLine('admin');
    const { id } = await server.beckon.ask(QUESTION);
    const begin = [
      [1, 'wait', id],
      [2, 'follow', null, 1],
    ];
    socket.send(JSON.stringify([...begin, ...begin]));
    socket.send(JSON.stringify([...begin, [3, 'get', id]]));
    const replies: [number, number, object][] = [];
    const readUntil = async (ref: number): Promise<void> => {
      while (!replies.some(([one]) => one === ref)) replies.push(...((await next()) as typeof replies));
    };
    await readUntil(3);
    expect((await server.send('admin', 'GET', '/metrics')).text).toMatch(/^beckon_waits_held 1$/m);
    socket.send(JSON.stringify([[4, 'answer', id, { answer: { text: 'yes' }, via: 'phone' }]]));
    await readUntil(4);
    await readUntil(1);
    socket.send(JSON.stringify([[5, 'get', id]]));
    await readUntil(5);
    expect(replies.filter(([ref]) => ref === 1)).toMatchObject([[1, 200, { status: 'answered' }]]);
    expect(replies.filter(([ref]) => ref === 2)).toMatchObject([
      [2, 206, { at: 1 }],
      [2, 206, { events: [{ seq: 2, type: 'interaction.answered' }] }],
    ]);
    expect((await server.send('admin', 'GET', '/metrics')).text).toMatch(/^beckon_waits_held 0$/m);
    socket.close();
  });

  test('a stream sends no more than a little ahead of its reader, and holds up nobody', async () => {
    const { socket, next } = await openLine('admin');
    socket.send('[[1,"follow",null,0]]');
    expect(await next()).toEqual([[1, 206, { at: 0 }]]);
    const question = 'x'.repeat(1000);
    for (let count = 0; count < 20; count += 1) {
      const asks = Array.from({ length: 100 }, () => server.beckon.ask({ ...QUESTION, request: { question } }));
      await Promise.all(asks);
    }
    socket.send('[[2,"get","int_none"]]');
    const seen: number[] = [];
    for (;;) {
      const replies = (await next()) as [number, number, { events?: { seq: number }[] }][];
      for (const [ref, , body] of replies) if (ref === 1) seen.push(...(body.events ?? []).map(({ seq }) => seq));
      if (replies.some(([ref]) => ref === 2)) break;
    }
    const bytes = JSON.stringify(await server.store.readLog({ after: 0, limit: 2000 })).length;
    expect(seen.length).toBeLessThan((2000 * (LINE_LIMITS.unreadChars + 2000)) / bytes);
    while (seen.length < 2000) {
      socket.send('[[1,"read",null,100]]');
      const replies = (await next()) as [number, number, { events?: { seq: number }[] }][];
      for (const [, , body] of replies) seen.push(...(body.events ?? []).map(({ seq }) => seq));
    }
    expect(seen).toEqual(Array.from({ length: 2000 }, (_, index) => index + 1));
    socket.close();
  });

  test('a server that stops replies to what is in progress before it leaves', async () => {
    const { socket, next } = await openLine('admin');
    socket.send(JSON.stringify([[1, 'ask', null, { kind: 'question', request: { question: 'Deploy?' } }]]));
    const replied = next();
    await until('it is asked', async () => (await server.beckon.lastSeq()) === 1);
    const closed = once(socket, 'close');
    await server.stop();
    expect(await replied).toMatchObject([[1, 200, { status: 'pending' }]]);
    expect((await closed)[0]).toBe(1012);
  });
});
