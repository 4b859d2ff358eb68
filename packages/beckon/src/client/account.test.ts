import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { useDaemon } from '../testing/harness/use-daemon.ts';
import { connectAccount } from './connect-account.ts';
import { connectBeckon } from './connect-beckon.ts';
import { connectHistory } from './connect-history.ts';

const daemon = useDaemon();

/**
 * A browser on the page: it keeps the cookie that it is given, and shows it with every request, as Node's `fetch` does
 * not. It stands between the client and the daemon.
 */
async function openBrowser(): Promise<{ url: string; cookie: () => string | undefined }> {
  let cookie: string | undefined;
  const server = createServer((incoming: IncomingMessage, outgoing) => {
    const headers = {
      ...incoming.headers,
      host: new URL(daemon.url).host,
      origin: daemon.url,
      ...(cookie && { cookie }),
    };
    const passed = request(`${daemon.url}${incoming.url}`, { method: incoming.method, headers }, (reply) => {
      const [set] = reply.headers['set-cookie'] ?? [];
      if (set !== undefined) cookie = set.includes('Max-Age=0') ? undefined : set.split(';')[0];
      outgoing.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cookie: () => cookie };
}

async function createCode(): Promise<string> {
  const admin = connectAccount(daemon.url, { token: await daemon.createToken('root', 'admin') });
  const { url, expiresAt } = await admin.createLink({ who: 'ada', role: 'admin' });
  expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
  return new URL(url).hash.slice(1);
}

describe('a browser', () => {
  test('logs in with a link, is known, works without a token, and logs out', async () => {
    const browser = await openBrowser();
    const account = connectAccount(browser.url);
    expect(await account.me()).toBeNull();
    const me = await account.logIn(await createCode());
    expect(me).toEqual({ who: 'ada', role: 'admin', device: expect.any(String) });
    expect(await account.me()).toEqual(me);

    const beckon = connectBeckon(browser.url);
    const { id } = await beckon.ask({ kind: 'question', request: { question: 'Deploy?' }, sessionId: 'ses_1' });
    const { interaction } = await beckon.answer(id, { text: 'yes' }, { who: 'x', via: 'inbox' });
    expect(interaction?.answeredBy).toMatchObject({ who: 'ada', via: 'inbox' });
    for await (const event of beckon.events({ after: 0 })) {
      expect(event).toMatchObject({ interactionId: id });
      break;
    }
    expect((await beckon.list({ text: 'deploy' })).items).toMatchObject([{ id }]);
    await beckon.close();

    const history = connectHistory(browser.url);
    expect((await history.interactionLog(id)).events).toHaveLength(2);
    expect((await history.sessionLog('ses_1', { after: 1, limit: 5 })).events).toHaveLength(1);
    expect(await history.sessions()).toMatchObject({ items: [{ sessionId: 'ses_1', interactions: 1, pending: 0 }] });
    expect((await history.statistics()).byKind).toEqual([{ kind: 'question', status: 'answered', count: 1 }]);

    expect(await account.devices()).toMatchObject([{ id: me.device, who: 'ada', isCurrent: true }]);
    await account.logOut();
    expect(browser.cookie()).toBeUndefined();
    expect(await account.me()).toBeNull();
    await account.logOut();
  });

  test('logs in with a code once, and revokes others', async () => {
    const [one, two] = [await openBrowser(), await openBrowser()];
    const code = await createCode();
    const first = await connectAccount(one.url).logIn(code);
    await expect(connectAccount(two.url).logIn(code)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await connectAccount(one.url).revokeDevice('none')).toBe(false);
    expect(await connectAccount(one.url).revokeDevice(first.device ?? '')).toBe(true);
    expect(await connectAccount(one.url).me()).toBeNull();
  });
});

describe('a program', () => {
  test('looks back with a token', async () => {
    const token = await daemon.createToken('ana', 'person');
    const history = connectHistory(daemon.url, { token });
    await expect(history.interactionLog('int_none')).rejects.toMatchObject({ code: 'interaction_not_found' });
    await expect(history.interactionLog('a b')).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await history.sessions({ limit: 1 })).toEqual({ items: [] });
    expect(await connectAccount(daemon.url, { token }).me()).toEqual({ who: 'ana', role: 'person' });
    await expect(connectAccount(daemon.url, { token }).createLink()).rejects.toMatchObject({ code: 'forbidden' });
    expect(await connectAccount(daemon.url, { token }).devices()).toEqual([]);
  });

  test('names sessions and puts requests aside, on all devices of one person', async () => {
    const token = await daemon.createToken('ana', 'person');
    const [laptop, phone] = [connectHistory(daemon.url, { token }), connectHistory(daemon.url, { token })];
    const beckon = connectBeckon(daemon.url, { token: await daemon.createToken('root', 'admin') });
    const { id } = await beckon.ask({ kind: 'question', request: { question: 'Deploy?' }, sessionId: 'ses_1' });
    await laptop.rename('ses_1', 'Currency');
    expect(await phone.titles()).toEqual({ ses_1: 'Currency' });
    await expect(laptop.rename('none', 'x')).rejects.toMatchObject({ code: 'session_not_found' });
    expect(await laptop.counts({ decision: 'pending', since: '2026-01-01' })).toEqual({
      total: 1,
      byDecision: [{ decision: 'pending', count: 1 }],
      byPerson: [],
      byProject: [],
    });
    expect((await beckon.list({ decision: 'denied', project: 'x' })).items).toEqual([]);
    const snooze = await laptop.snooze(id, '1h');
    expect(await phone.snoozes()).toEqual([snooze]);
    expect([await phone.unsnooze(id), await phone.unsnooze(id)]).toEqual([true, false]);
    expect(await laptop.snoozes()).toEqual([]);
    await beckon.cancel({ id });
    expect(await laptop.snooze(id, '1h')).toBeNull();
    await beckon.close();
  });

  test('without a token is nobody, and is told so', async () => {
    const beckon = connectBeckon(daemon.url);
    await expect(beckon.list()).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(connectHistory(daemon.url).sessions()).rejects.toMatchObject({ code: 'unauthorized' });
    await beckon.close();
  });

  test('is tried again while the server is away', async () => {
    const token = await daemon.createToken('ana', 'person');
    await daemon.stop();
    const history = connectHistory(daemon.url, { token });
    const asking = history.sessions();
    await daemon.start();
    expect(await asking).toEqual({ items: [] });
    await daemon.stop();
    await expect(connectHistory(daemon.url, { token, retryFor: 0 }).sessions()).rejects.toMatchObject({
      code: 'unreachable',
    });
    await daemon.start();
  });
});
