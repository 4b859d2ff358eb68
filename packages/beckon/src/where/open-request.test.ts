import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createPlainServer } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { post } from '../cli/hook/hook-post.ts';
import { connectBeckon } from '../client/connect-beckon.ts';
import { toNetworkFailure } from '../client/failures.ts';
import { probe } from '../daemon/health.ts';
import {
  type Authority,
  type CertificateFiles,
  createAuthority,
  createSelfSigned,
} from '../testing/harness/certificates.ts';
import { createTemporaryFolder } from '../testing/harness/temporary-folder.ts';
import { createPinnedFetch } from './pinned-fetch.ts';

const SECRET = 'bkn_secret';

let folder: string;
let authority: Authority;
let plainUrl: string;
const servers: Server[] = [];
/** The requests that reached a server, whatever it thinks of them. */
let seen: (string | undefined)[] = [];

beforeAll(async () => {
  folder = createTemporaryFolder('beckon-tls-');
  authority = createAuthority(folder);
  const plain = createPlainServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(plain, 'listening');
  plainUrl = `https://127.0.0.1:${(plain.address() as AddressInfo).port}`;
  servers.push(plain as Server);
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  seen = [];
});

/** A server that answers as a Beckon does to the first question. */
async function listen(files: CertificateFiles): Promise<string> {
  const server = createServer({ cert: readFileSync(files.cert), key: readFileSync(files.key) }, (request, response) => {
    seen.push(request.headers.authorization);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ name: 'beckon', pid: 1, version: '0', items: [] }));
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

/** The same failure, as a client, the hook command and the probe tell it. */
async function listFaults(url: string): Promise<string[]> {
  const beckon = connectBeckon(url, { token: SECRET, retryFor: 0 });
  const client = await beckon.list().then(
    () => 'no fault',
    (error: Error) => error.message,
  );
  await beckon.close();
  const reply = await post({ url: new URL(`${url}/hooks/claude`), token: SECRET, key: 'k', text: '{}', limitMs: 5000 });
  const health = await probe(url);
  return [
    client,
    reply.result === 'refused' ? (await toNetworkFailure(url, reply.cause)).error.message : reply.result,
    health.kind === 'silent' ? health.reason : health.kind,
  ];
}

describe('a server whose certificate is not accepted gets nothing, and the words are the same everywhere', () => {
  test.each([
    ['nobody knows who signed it', () => authority.issue('unknown', ['localhost'])],
    ['it has signed itself', () => createSelfSigned(folder, 'self', ['localhost'])],
  ])('%s', async (_, make) => {
    const url = await listen(make());
    const words =
      'The certificate of localhost is not trusted. If your company has its own CA, set NODE_EXTRA_CA_CERTS=FILE.';
    expect(await listFaults(url)).toEqual([...Array(2).fill(`Beckon cannot be reached at ${url}. ${words}`), words]);
    expect(seen).toEqual([]);
  });

  test('the server does not speak TLS', async () => {
    const words =
      '127.0.0.1 does not speak TLS on this port. Begin the URL with http://, or name the port that has TLS.';
    expect(await listFaults(plainUrl)).toEqual([
      ...Array(2).fill(`Beckon cannot be reached at ${plainUrl}. ${words}`),
      words,
    ]);
  });
});

describe('a daemon with a pinned certificate', () => {
  const pin = (files: CertificateFiles): string => new X509Certificate(readFileSync(files.cert)).fingerprint256;

  test('is accepted, whoever signed the certificate, for whichever name, even after it has expired', async () => {
    for (const files of [
      createSelfSigned(folder, 'own', ['elsewhere.example']),
      authority.issue('old', ['localhost'], { days: -1 }),
    ]) {
      const url = await listen(files);
      const pins = ['00', pin(files)];
      expect(await probe(url, pins)).toEqual({ kind: 'beckon', pid: 1, version: '0' });
      const sent = { url: new URL(url), token: SECRET, key: 'k', text: '{}', limitMs: 5000 };
      expect(await post({ ...sent, pins })).toMatchObject({ result: 'replied' });
    }
  });

  test('is not confused with another that has the port now: nothing is sent there', async () => {
    const other = authority.issue('other', ['localhost']);
    const url = await listen(other);
    const pins = [pin(createSelfSigned(folder, 'mine', ['localhost']))];
    const words = /^The certificate of localhost is not the one that this machine's Beckon uses\./;
    expect(await probe(url, pins)).toEqual({ kind: 'silent', reason: expect.stringMatching(words) });
    const sent = { url: new URL(url), token: SECRET, key: 'k', text: '{}', limitMs: 5000 };
    expect(await post({ ...sent, pins })).toEqual({
      result: 'refused',
      cause: expect.objectContaining({ code: 'ERR_BECKON_OTHER_CERTIFICATE' }),
    });
    expect(await post({ ...sent, pins: [] })).toMatchObject({ result: 'refused' });
    expect(seen).toEqual([]);
  });

  test('may change its certificate while a client lives', async () => {
    const [first, second] = ['first', 'second'].map((name) => createSelfSigned(folder, name, ['localhost']));
    if (first === undefined || second === undefined) throw new Error('Expected two certificates');
    const url = await listen(first);
    const server = servers.at(-1);
    const state = (files: CertificateFiles): void =>
      writeFileSync(
        join(folder, 'daemon.json'),
        JSON.stringify({ pid: process.ppid, url, certificates: [pin(files)] }),
      );
    state(first);
    const send = createPinnedFetch(folder);
    const init = { headers: { authorization: SECRET } };
    expect((await send(url, init)).status).toBe(200);
    server?.setSecureContext({ cert: readFileSync(second.cert), key: readFileSync(second.key) });
    server?.closeAllConnections();
    await expect(send(url, init)).rejects.toMatchObject({ cause: { code: 'ERR_BECKON_OTHER_CERTIFICATE' } });
    expect(seen).toHaveLength(1);
    state(second);
    expect((await send(url, init)).status).toBe(200);
    rmSync(join(folder, 'daemon.json'));
    server?.closeAllConnections();
    await expect(send(url, init)).rejects.toThrow('fetch failed');
    expect(seen).toHaveLength(2);
  });
});
