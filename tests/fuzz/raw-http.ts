import { connect } from 'node:net';
import { Random } from '../harness/random.ts';
import type { FuzzRequest } from './requests.ts';

/** A request as bytes on the wire. */
export function toText({ method, url, headers, body }: FuzzRequest): Buffer {
  const bytes = Buffer.from(body ?? '');
  const all = { host: 'localhost', ...(body !== undefined && { 'content-length': String(bytes.length) }), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), bytes]);
}

type Damage = (bytes: Buffer, random: Random) => Buffer;

const insert =
  (what: string): Damage =>
  (bytes, random) => {
    const at = random.below(Math.min(bytes.length, 400));
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(what, 'latin1'), bytes.subarray(at)]);
  };
const replace =
  (from: string | RegExp, to: string): Damage =>
  (bytes) =>
    Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1');

const DAMAGES: readonly Damage[] = [
  (bytes) => bytes,
  (bytes, random) => bytes.subarray(0, random.below(bytes.length)),
  (bytes, random) => {
    const changed = Buffer.from(bytes);
    for (let count = 0; count < 3; count += 1) changed[random.below(Math.min(changed.length, 400))] = random.below(256);
    return changed;
  },
  (bytes) => Buffer.concat([bytes, bytes, bytes]),
  (_bytes, random) => Buffer.from(Array.from({ length: 1 + random.below(200) }, () => random.below(256))),
  insert('\r\n'),
  insert('\n'),
  insert('\0'),
  insert('\r\nTransfer-Encoding: chunked\r\n'),
  insert(`\r\nX-Large: ${'a'.repeat(20_000)}\r\n`),
  replace('\r\n', '\r\nTransfer-Encoding: chunked\r\n'),
  replace('\r\n', '\r\nContent-Length: 5\r\nContent-Length: 6\r\n'),
  replace('\r\n', '\r\nTransfer-Encoding: gzip, chunked\r\nContent-Length: 3\r\n'),
  replace('\r\n', `\r\n${'A: b\r\n'.repeat(3000)}`),
  replace('\r\n', '\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: x\r\n'),
  replace('\r\n', '\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'),
  replace('\r\n', '\r\nExpect: 100-continue\r\n'),
  replace('\r\n', '\r\nExpect: something\r\n'),
  replace('HTTP/1.1', 'HTTP/1.0'),
  replace('HTTP/1.1', 'HTTP/2.0'),
  replace('HTTP/1.1', 'HTTP/9'),
  replace(/^\w+ \S+/, 'PRI *'),
  replace(/^\w+ \S+/, 'CONNECT localhost:80'),
  replace(/^\w+ /, 'GET http://evil.example'),
  replace(/^\w+ /, 'BREW '),
  replace(/content-length: \d+/i, 'content-length: 999999'),
  replace(/content-length: \d+/i, 'content-length: 99999999999999999999'),
  replace(/content-length: \d+/i, 'content-length: 1'),
  replace(/host: .*\r\n/i, ''),
];

/** Damages every second request in one of many ways. */
export function breakText(bytes: Buffer, seed: number): Buffer {
  const random = new Random(seed);
  return random.below(2) === 0 ? bytes : random.pick(DAMAGES)(bytes, random);
}

/** Sends bytes, says that there is no more, and reads until the end. `null` where the server does not come to one. */
export function sendBytes(port: number, bytes: Buffer): Promise<string | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1');
    const timer = setTimeout(() => {
      resolve(null);
      socket.destroy();
    }, 10_000);
    socket.on('error', () => undefined); // A reset is an end as well.
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      // A stream that was let in does not end by itself.
      if (chunk.includes('text/event-stream') || chunk.includes('101 Switching')) socket.destroy();
    });
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString('latin1'));
    });
    socket.end(bytes);
  });
}
