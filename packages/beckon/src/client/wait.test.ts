import { describe, expect, test } from 'vitest';
import type { AskInput } from '../protocol/interaction.ts';
import { useTcpProxy } from '../testing/harness/tcp-proxy.ts';
import { TRANSPORTS, useDaemon } from '../testing/harness/use-daemon.ts';

const QUESTION: AskInput = { kind: 'question', request: { question: 'Deploy?' } };
const ADA = { who: 'ada', via: 'phone' };

describe.each(TRANSPORTS)('a wait with the transport %s', (transport) => {
  const daemon = useDaemon(transport);
  const proxy = useTcpProxy(daemon);

  test('it survives a restart of the server and says that it lost it', async () => {
    const losses: unknown[] = [];
    const beckon = daemon.connect({ onError: (error) => losses.push(error) });
    const { id } = await beckon.ask(QUESTION);
    const waiting = beckon.wait(id);
    for (let round = 0; round < 2; round += 1) {
      await beckon.get(id);
      await daemon.stop();
      await daemon.start();
    }
    await daemon.connect().answer(id, { text: 'yes' }, ADA);
    expect(await waiting).toMatchObject({ status: 'answered', answer: { text: 'yes' } });
    expect(losses[0]).toMatchObject({ code: 'unreachable' });
  });

  test('an answer that came while its connection was broken is not missed', async () => {
    const beckon = daemon.connect({ url: proxy.url });
    const { id } = await beckon.ask(QUESTION);
    const waiting = beckon.wait(id);
    await beckon.get(id);
    proxy.freeze();
    await daemon.connect().answer(id, { text: 'yes' }, ADA);
    proxy.cut();
    expect(await waiting).toMatchObject({ status: 'answered' });
  });

  test('a thousand waits at once each get their outcome, also when all connections break', async () => {
    const beckon = daemon.connect({ url: proxy.url });
    const asked = await Promise.all(Array.from({ length: 1000 }, () => beckon.ask(QUESTION)));
    const waiting = asked.map(({ id }) => beckon.wait(id));
    const half = asked.slice(0, 500);
    await Promise.all(half.map(({ id }) => beckon.answer(id, { text: id }, ADA)));
    expect((await Promise.all(waiting.slice(0, 500))).map(({ answer }) => answer)).toEqual(
      half.map(({ id }) => ({ text: id })),
    );
    proxy.cut();
    await daemon.connect().cancel({ chatId: 'default' });
    expect(new Set((await Promise.all(waiting.slice(500))).map(({ status }) => status))).toEqual(
      new Set(['cancelled']),
    );
  });

  test('it times out while the server is away, and ends with the reason when it is aborted then', async () => {
    const beckon = daemon.connect();
    const { id } = await beckon.ask(QUESTION);
    await daemon.stop();
    await expect(beckon.wait(id, { timeout: '300ms' })).rejects.toMatchObject({ code: 'wait_timed_out' });
    const aborting = new AbortController();
    const waiting = beckon.wait(id, { signal: aborting.signal });
    const failure = waiting.catch((error: unknown) => error);
    aborting.abort(new Error('enough'));
    expect(await failure).toMatchObject({ message: 'enough' });
  });

  test('closing ends it while the server is away', async () => {
    const beckon = daemon.connect();
    const { id } = await beckon.ask(QUESTION);
    await daemon.stop();
    const waiting = beckon.wait(id);
    const failure = waiting.catch((error: unknown) => error);
    await beckon.close();
    expect(await failure).toMatchObject({ code: 'closed' });
  });

  test('an agent does not wait for what another asked', async () => {
    const agent = daemon.connect({ token: await daemon.createToken('builder', 'agent') });
    const { id } = await daemon.connect().ask(QUESTION);
    await expect(agent.wait(id)).rejects.toMatchObject({ code: 'interaction_not_found' });
  });
});
