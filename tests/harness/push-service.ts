import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttps, type Server as HttpsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTls } from 'node:tls';
import { createCertificate, type TestCertificate } from './certificate.ts';
import { type Field, readVarint, toVarint, writeProto } from './protobuf.ts';

/** A message that an application server posted. */
export interface PostedPush {
  token: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** What Chromium registered: a site's worker, and the key that may send to it. */
interface Registration {
  app: string;
  subtype: string;
  sender: string;
}

const MOST_BYTES = 4096;
/** Tags of the protocol between Chromium and Google's service (MCS). */
const MCS = { version: 41, ping: 0, pong: 1, login: 2, loggedIn: 3, iq: 7, message: 8 } as const;

/**
 * Stands in for a push service: to application servers it speaks RFC 8030 and 8292, to a Chromium with `flags` the
 * protocol of Google's service. It cannot read what it carries.
 */
export class PushService {
  /** Every message that was accepted, in order. */
  readonly accepted: PostedPush[] = [];
  /** What the next posts get instead of being accepted, one after another. */
  readonly refusals: { status: number; headers?: Record<string, string>; body?: string }[] = [];
  readonly certificate: TestCertificate;
  readonly #https: HttpsServer;
  readonly #mcs: Server;
  readonly #registrations = new Map<string, Registration | null>();
  readonly #browsers = new Set<Socket>();
  /** Messages for browsers that are away. One with the same topic replaces another. */
  #waiting: PostedPush[] = [];

  readonly #host: string;

  private constructor(certificate: TestCertificate, host: string) {
    this.certificate = certificate;
    this.#host = host;
    this.#https = createHttps(certificate, (request, response) => void this.#handle(request, response));
    this.#mcs = createTls(certificate, (socket) => this.#connect(socket));
  }

  /** On this machine; with a host, under that name on every address, at port 443, with a certificate for it. */
  static async open(named?: { host: string; certificate: TestCertificate }): Promise<PushService> {
    const { host, certificate } = named ?? { host: '127.0.0.1', certificate: createCertificate() };
    const service = new PushService(certificate, host);
    const address = named === undefined ? host : '0.0.0.0';
    await new Promise<void>((resolve) => service.#https.listen(named === undefined ? 0 : 443, address, resolve));
    await new Promise<void>((resolve) => service.#mcs.listen(0, address, resolve));
    return service;
  }

  /** The address under which subscriptions are. */
  get url(): string {
    return new URL(`https://${this.#host}:${(this.#https.address() as AddressInfo).port}`).origin;
  }

  /** Makes a Chromium use this service instead of Google's. It must not be off the record. */
  get flags(): string[] {
    return [
      `--gcm-checkin-url=${this.url}/checkin`,
      `--gcm-registration-url=${this.url}/register`,
      `--gcm-mcs-endpoint=https://${this.#host}:${(this.#mcs.address() as AddressInfo).port}`,
      `--ignore-certificate-errors-spki-list=${this.certificate.spki}`,
    ];
  }

  /** The address of a subscription that no browser has. With the key that may send to it. */
  subscribe(sender: string): string {
    const token = randomBytes(12).toString('base64url');
    this.#registrations.set(token, { app: '', subtype: '', sender });
    return `${this.url}/fcm/send/${token}`;
  }

  /** Forgets a subscription, as if its browser had withdrawn it. */
  forget(endpoint: string): void {
    this.#registrations.set(toToken(endpoint), null);
  }

  /** How many browsers hold a connection. */
  get connections(): number {
    return this.#browsers.size;
  }

  async close(): Promise<void> {
    for (const browser of this.#browsers) browser.destroy();
    this.#https.closeAllConnections();
    for (const server of [this.#https, this.#mcs]) await new Promise((resolve) => server.close(resolve));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (request.url === '/checkin') return void response.end(toCheckin());
    if (request.url === '/register') return void response.end(`token=${this.#register(body)}`);
    const token = toToken(request.url ?? '');
    const { status, headers, body: text } = this.refusals.shift() ?? this.#judge(token, request, body);
    response.writeHead(status, headers).end(text);
    if (status !== 201) return;
    const posted = { token, headers: request.headers, body };
    this.accepted.push(posted);
    this.#deliver(posted);
  }

  #register(body: Buffer): string {
    const form = new URLSearchParams(body.toString());
    const token = randomBytes(12).toString('base64url');
    const { app, 'X-subtype': subtype, sender, delete: isDeleted } = Object.fromEntries(form);
    if (isDeleted === 'true') {
      for (const [known, one] of this.#registrations)
        if (one?.subtype === subtype) this.#registrations.set(known, null);
    } else this.#registrations.set(token, { app: app ?? '', subtype: subtype ?? '', sender: sender ?? '' });
    return token;
  }

  /** What RFC 8030 and 8292 say to a post. */
  #judge(token: string, { method, headers }: IncomingMessage, body: Buffer): PushService['refusals'][number] {
    const registration = this.#registrations.get(token);
    if (registration === undefined) return { status: 404 };
    if (registration === null) return { status: 410, body: 'The subscription has expired or was withdrawn' };
    if (method !== 'POST' || !/^\d+$/.test(String(headers['ttl']))) return { status: 400, body: 'TTL is missing' };
    if (headers['content-encoding'] !== 'aes128gcm') return { status: 400, body: 'Unknown content encoding' };
    if (!/^[\w-]{1,32}$/.test(String(headers['topic'] ?? 'none'))) return { status: 400, body: 'Bad topic' };
    if (body.length > MOST_BYTES) return { status: 413 };
    const problem = this.#judgeSender(headers.authorization ?? '', registration);
    return problem === null ? { status: 201, headers: { location: `/m/${token}` } } : { status: 403, body: problem };
  }

  #judgeSender(authorization: string, { sender }: Registration): string | null {
    const [, head, content, signature, key] =
      /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization) ?? [];
    if (head === undefined || content === undefined || signature === undefined || key === undefined) return 'No token';
    if (toKeyText(key) !== toKeyText(sender)) return 'The key is not the one of the subscription';
    const { aud, exp } = JSON.parse(Buffer.from(content, 'base64url').toString()) as { aud: string; exp: number };
    const leftSeconds = exp - Date.now() / 1000;
    if (aud !== this.url) return `The token is for ${aud}`;
    if (leftSeconds < 0 || leftSeconds > 86_400) return 'The token has expired, or holds for more than a day';
    const point = Buffer.from(key, 'base64url');
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
    const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' });
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${content}`),
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
    return isSigned ? null : 'The signature is wrong';
  }

  #connect(socket: Socket): void {
    let rest = Buffer.alloc(0);
    let hasVersion = false;
    socket.on('error', () => undefined);
    socket.on('close', () => this.#browsers.delete(socket));
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      if (!hasVersion && rest.length > 0) {
        hasVersion = true;
        rest = rest.subarray(1);
      }
      for (;;) {
        const length = rest.length > 1 ? readVarint(rest, 1) : null;
        if (length === null || rest.length < length.end + length.value) return;
        this.#take(socket, rest[0] ?? 0);
        rest = rest.subarray(length.end + length.value);
      }
    });
  }

  #take(socket: Socket, tag: number): void {
    if (tag === MCS.ping) write(socket, MCS.pong, []);
    if (tag !== MCS.login) return;
    socket.write(Buffer.from([MCS.version]));
    write(socket, MCS.loggedIn, [
      [1, 'login'],
      [8, Date.now()],
    ]);
    this.#browsers.add(socket);
    for (const posted of this.#waiting.splice(0)) this.#deliver(posted);
  }

  #deliver(posted: PostedPush): void {
    const { app, subtype, sender } = this.#registrations.get(posted.token) ?? { app: '', subtype: '', sender: '' };
    if (app === '') return;
    const [browser] = this.#browsers;
    if (browser === undefined) {
      const { topic } = posted.headers;
      const isReplaced = (other: PostedPush): boolean =>
        topic !== undefined && other.token === posted.token && other.headers['topic'] === topic;
      this.#waiting = [...this.#waiting.filter((other) => !isReplaced(other)), posted];
      return;
    }
    const id = randomBytes(8).toString('hex');
    write(browser, MCS.message, [
      [2, id],
      [3, sender],
      [5, app],
      [
        7,
        [
          [1, 'subtype'],
          [2, subtype],
        ],
      ],
      [
        7,
        [
          [1, 'content-encoding'],
          [2, 'aes128gcm'],
        ],
      ],
      [9, id],
      [10, this.accepted.length + 1],
      [17, Number(posted.headers['ttl'])],
      [18, Date.now()],
      [21, posted.body],
    ]);
  }
}

function write(socket: Socket, tag: number, fields: readonly Field[]): void {
  const bytes = writeProto(fields);
  socket.write(Buffer.concat([Buffer.from([tag]), toVarint(bytes.length), bytes]));
}

function toCheckin(): Buffer {
  const id = BigInt(`0x${createHash('sha256').update('device').digest('hex').slice(0, 15)}`);
  return writeProto([
    [1, 1],
    [3, Date.now()],
    [7, { fixed64: id }],
    [8, { fixed64: id + 1n }],
    [11, 'v1'],
  ]);
}

function toToken(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1);
}

// Browsers write the key in either alphabet of base64.
function toKeyText(key: string): string {
  return Buffer.from(key, 'base64').toString('base64url');
}
