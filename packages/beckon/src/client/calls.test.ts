import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectBeckon } from '../connect-beckon.ts';
import type { Beckon } from '../core/beckon.ts';
import type { AskInput } from '../protocol/interaction.ts';
import { useTcpProxy } from '../testing/harness/tcp-proxy.ts';
import { TRANSPORTS, useDaemon } from '../testing/harness/use-daemon.ts';

const QUESTION: AskInput = { kind: 'question', request: { question: 'Deploy?' } };
const ADA = { who: 'ada', via: 'phone' };

describe('connectBeckon', () => {
  test.each(['', '127.0.0.1:8228', 'ftp://127.0.0.1', 'http://127.0.0.1/?a=b', 'beckon'])(
    'the URL %o is refused',
    (url) => {
      expect(() => connectBeckon(url, { token: 'bkn_x' })).toThrow(/Expected the URL of a Beckon such as/);
    },
  );

  test('a URL with a password is refused, and the password is not repeated', () => {
    expect(() => connectBeckon('http://ada:hunter2@127.0.0.1', { token: 'bkn_x' })).toThrow(
      /got one with a user name\.$/,
    );
  });

  test.each(['', 'bkn_1\n', 'two words'])('the token %o is refused and not repeated', (token) => {
    expect(() => connectBeckon('http://127.0.0.1', { token })).toThrow(/Expected a token.*got something else/);
  });

  test('a time for retries that is no duration is refused', () => {
    expect(() => connectBeckon('http://127.0.0.1', { token: 'bkn_x', retryFor: 'soon' })).toThrow(/Invalid retryFor/);
  });
});

describe.each(TRANSPORTS)('what the server says, with the transport %s', (transport) => {
  const daemon = useDaemon(transport);

  test('a path before the routes and a slash at the end of the URL do not matter', async () => {
    const beckon = daemon.connect({ url: `${daemon.url}/` });
    expect(await beckon.list()).toEqual({ items: [], lastSeq: 0 });
    await expect(daemon.connect({ url: `${daemon.url}/team/` }).list()).rejects.toMatchObject({
      code: 'route_not_found',
      message: expect.stringContaining('/team/v1/interactions'),
    });
  });

  test('a wrong token is unauthorized, and a weak one forbidden', async () => {
    await expect(daemon.connect({ token: 'bkn_wrong' }).list()).rejects.toMatchObject({ code: 'unauthorized' });
    const agent = daemon.connect({ token: await daemon.createToken('builder', 'agent') });
    await expect(agent.list()).rejects.toMatchObject({ code: 'forbidden' });
    await expect(agent.events()[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('a stream that is forbidden does not hold up the calls after it', async () => {
    const agent = daemon.connect({ token: await daemon.createToken('builder', 'agent') });
    agent.events();
    expect(await agent.ask(QUESTION)).toMatchObject({ status: 'pending' });
  });

  test('who asks and who answers comes from the tokens; what the caller says of itself is kept as a claim', async () => {
    const agent = daemon.connect({ token: await daemon.createToken('builder', 'agent') });
    const person = daemon.connect({ token: await daemon.createToken('ada', 'person') });
    const { id, askedBy } = await agent.ask({ ...QUESTION, askedBy: 'somebody else' });
    expect(askedBy).toBe('builder');
    const { interaction } = await person.answer(id, { text: 'yes' }, { who: 'somebody else', via: 'phone' });
    expect(interaction?.answeredBy).toEqual({
      who: 'ada',
      via: 'api',
      kind: 'person',
      claim: { who: 'somebody else', via: 'phone' },
    });
  });

  test('problems keep their code and name the fields', async () => {
    const beckon = daemon.connect();
    const { id } = await beckon.ask({ kind: 'approval', request: { tool: 'Bash' } });
    await expect(beckon.answer(id, { decision: 'perhaps' } as never, ADA)).rejects.toMatchObject({
      code: 'invalid_answer',
      problems: [{ path: 'decision', received: '"perhaps" (text)' }],
    });
    await expect(beckon.ask({ ...QUESTION, id })).rejects.toMatchObject({ code: 'interaction_exists' });
  });

  test('values that JSON would change on the way are refused instead', async () => {
    const beckon = daemon.connect();
    const { id } = await beckon.ask({ kind: 'component', request: { components: [] } });
    const wrong = { action: 'click', data: Number.NaN };
    await expect(beckon.answer(id, wrong, ADA)).rejects.toMatchObject({
      code: 'invalid_answer',
      problems: [{ path: 'data' }],
    });
  });
});

describe.each(TRANSPORTS)('a reply that is lost, with the transport %s', (transport) => {
  const daemon = useDaemon(transport);
  const proxy = useTcpProxy(daemon);

  /** A client whose connection is open, so that the next reply is that of a call. */
  async function connect(options: { retryFor?: number } = {}): Promise<Beckon> {
    const beckon = daemon.connect({ url: proxy.url, ...options });
    await beckon.get('int_none');
    return beckon;
  }

  test('an ask is sent again, and the person is not asked twice', async () => {
    const beckon = await connect();
    proxy.loseReply();
    const asked = await beckon.ask(QUESTION);
    expect(proxy.connections).toBe(2);
    expect((await beckon.list()).items).toEqual([asked]);
  });

  test('an ask with a key of its own keeps it', async () => {
    const beckon = await connect();
    proxy.loseReply();
    const asked = await beckon.ask({ ...QUESTION, idempotencyKey: 'toolu_1' });
    expect(await beckon.ask({ ...QUESTION, idempotencyKey: 'toolu_1' })).toEqual(asked);
    expect((await beckon.list()).items).toEqual([asked]);
  });

  test('an answer is sent again and counts once', async () => {
    const beckon = await connect();
    const { id } = await daemon.connect().ask(QUESTION);
    proxy.loseReply();
    expect(await beckon.answer(id, { text: 'yes' }, ADA)).toMatchObject({
      result: 'repeated',
      interaction: { id, answer: { text: 'yes' } },
    });
  });

  test('a cancel and a supersede are sent again and count as their own work', async () => {
    const beckon = await connect();
    const [first, second] = [await daemon.connect().ask(QUESTION), await daemon.connect().ask(QUESTION)];
    proxy.loseReply();
    expect(await beckon.cancel({ id: first.id }, 'no longer needed')).toEqual([first.id]);
    proxy.loseReply();
    expect(await beckon.supersede(second.id)).toBe(true);
    proxy.loseReply();
    expect(await beckon.cancel({ id: first.id }, 'for another reason')).toEqual([]);
  });

  test('a text is not said again, because it could answer another question', async () => {
    const beckon = daemon.connect({ url: proxy.url });
    const { id } = await daemon.connect().ask(QUESTION);
    proxy.loseReply();
    await expect(beckon.say('default', 'yes', ADA)).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('It is not known whether the request was carried out'),
    });
    expect(proxy.connections).toBe(1);
    expect(await beckon.get(id)).toMatchObject({ status: 'answered', answer: { text: 'yes' } });
  });

  test('without time for retries the caller is told that it is not known', async () => {
    const beckon = await connect({ retryFor: 0 });
    proxy.loseReply();
    await expect(beckon.ask(QUESTION)).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('It is not known'),
    });
    expect((await beckon.list()).items).toHaveLength(1);
  });
});

describe.each(TRANSPORTS)('a server that is away, with the transport %s', (transport) => {
  const daemon = useDaemon(transport);

  test('after the time for retries the error names the URL and the next step', async () => {
    const beckon = daemon.connect({ retryFor: 0 });
    await daemon.stop();
    await expect(beckon.ask(QUESTION)).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(
        new RegExp(`^Beckon cannot be reached at ${daemon.url} \\(.*ECONNREFUSED.*\\)\\. Check that "beckon up" runs`),
      ),
    });
    const patient = daemon.connect({ retryFor: '250ms' });
    await expect(patient.get('int_1')).rejects.toMatchObject({ code: 'unreachable' });
  });

  test('calls of every kind go on when it is back', async () => {
    const beckon = daemon.connect();
    const first = await beckon.ask(QUESTION);
    const second = await beckon.ask({ ...QUESTION, chatId: 'second' });
    await daemon.stop();
    // Until it has noticed that its connection is gone, a client cannot know whether a text arrived over it.
    await expect(daemon.connect({ retryFor: 0 }).list()).rejects.toMatchObject({ code: 'unreachable' });
    const calls = Promise.all([
      beckon.say('default', 'yes', ADA),
      beckon.answer(second.id, { text: 'no' }, ADA),
      beckon.ask({ ...QUESTION, chatId: 'third' }),
      beckon.get(first.id),
      beckon.cancel({ chatId: 'nobody' }),
    ]);
    await daemon.start();
    expect(await calls).toMatchObject([true, { result: 'accepted' }, { chatId: 'third' }, { id: first.id }, []]);
    expect(await beckon.get(first.id)).toMatchObject({ answer: { text: 'yes' } });
  });

  test('closing ends a call that waits for its next attempt', async () => {
    const beckon = daemon.connect();
    await daemon.stop();
    const asking = beckon.ask(QUESTION);
    const failure = asking.catch((error: unknown) => error);
    await beckon.close();
    expect(await failure).toMatchObject({ code: 'closed' });
  });

  test('closing gives up on a server that says nothing', async () => {
    const server = createTcpServer(() => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const beckon = daemon.connect({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    const asking = beckon.ask(QUESTION);
    const failure = asking.catch((error: unknown) => error);
    await once(server, 'connection');
    await beckon.close();
    expect(await failure).toMatchObject({ code: 'closed' });
  });
});

describe.each(TRANSPORTS)('a server that is not Beckon, or a proxy before it, with the transport %s', (transport) => {
  type Answer = (request: IncomingMessage, response: ServerResponse) => void;

  async function serve(...answers: Answer[]): Promise<string> {
    let count = 0;
    const server = createServer((request, response) => {
      request.resume();
      answers[Math.min(count, answers.length - 1)]?.(request, response);
      count += 1;
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const reply =
    (status: number, type: string, body: string, headers: Record<string, string> = {}): Answer =>
    (_request, response) =>
      void response.writeHead(status, { 'content-type': type, ...headers }).end(body);

  const problem = (status: number, code: string): string =>
    JSON.stringify({ type: `urn:beckon:error:${code}`, title: code, status, code, detail: `It says ${code}.` });

  test.each([
    ['a page', reply(200, 'text/html', '<h1>It works!</h1>'), /expected JSON, got status 200 with text\/html/],
    ['a page that is not there', reply(404, 'text/html', 'Not found'), /got status 404/],
    ['JSON of another kind', reply(200, 'application/json', '{"hello":"world"}'), /Invalid reply: kind: expected/],
    ['an error of another kind', reply(400, 'application/json', '{"error":"no"}'), /got status 400/],
    ['a redirect', reply(302, 'text/plain', '', { location: 'http://127.0.0.1:1/' }), /got status 302/],
  ])('%s is told apart at once', async (_, answer, message) => {
    const url = await serve(answer);
    const beckon = connectBeckon(url, { token: 'bkn_x', transport });
    for (const call of [() => beckon.get('int_1'), () => beckon.ask(QUESTION), () => beckon.wait('int_1')]) {
      await expect(call()).rejects.toMatchObject({ code: 'unreachable', message: expect.stringMatching(message) });
    }
    await expect(beckon.events()[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'unreachable' });
  });

  test.each([
    ['busy', reply(503, 'application/problem+json', problem(503, 'store_busy'))],
    ['stopping', reply(503, 'application/problem+json', problem(503, 'closed'), { 'retry-after': '0' })],
    [
      'slowing down',
      reply(429, 'application/problem+json', problem(429, 'too_many_requests'), {
        'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT',
      }),
    ],
  ])('a server that is %s is tried again, even with a text', async (_, answer) => {
    const url = await serve(answer, reply(200, 'application/json', '{"routed":true}'));
    expect(await connectBeckon(url, { token: 'bkn_x', transport }).say('default', 'yes', ADA)).toBe(true);
  });

  test.each([502, 503, 504])('a %i of a proxy is tried again, but not with a text', async (status) => {
    const url = await serve(
      reply(status, 'text/html', 'Bad luck'),
      reply(404, 'application/problem+json', problem(404, 'interaction_not_found')),
    );
    expect(await connectBeckon(url, { token: 'bkn_x', transport }).get('int_1')).toBeNull();
    const other = await serve(reply(status, 'text/html', 'Bad luck'));
    await expect(connectBeckon(other, { token: 'bkn_x', transport }).say('default', 'yes', ADA)).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining(`(status ${status})`),
    });
  });

  test('a pause that is longer than the time for retries is not begun', async () => {
    const url = await serve(
      reply(503, 'application/problem+json', problem(503, 'store_unavailable'), { 'retry-after': '3600' }),
    );
    await expect(connectBeckon(url, { token: 'bkn_x', transport }).get('int_1')).rejects.toMatchObject({
      code: 'store_unavailable',
      message: 'It says store_unavailable.',
    });
  });

  test('an error code of a newer Beckon becomes one that is known', async () => {
    const url = await serve(reply(418, 'application/problem+json', problem(418, 'out_of_tea')));
    await expect(connectBeckon(url, { token: 'bkn_x', transport }).get('int_1')).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });
});
