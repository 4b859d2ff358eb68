import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPushBrowser, type PushBrowser } from '../../packages/beckon/src/testing/harness/push-browser.ts';

/** The ways to tell a person that are measured. */
export const KINDS = ['push', 'ntfy'] as const;
export type Kind = (typeof KINDS)[number];

/** A notice as it arrived. */
interface Arrival {
  /** When the last byte was here, by `performance.now`. */
  at: number;
  body: Buffer;
}

/**
 * Stands for a push service, with the browsers behind it, and for an ntfy server. Everything in it has a name: the
 * path of a subscription, or a topic.
 */
export interface Receiver {
  readonly url: string;
  /** Names whose requests are never answered. */
  readonly hanging: Set<string>;
  /** What somebody gives to Beckon to be told under this name. */
  draft(kind: Kind, name: string): object;
  /** The next notice with this name. */
  next(name: string): Promise<Arrival>;
  /** The code with which a destination is proven. */
  readCode(kind: Kind, name: string, body: Buffer): string;
  close(): Promise<void>;
}

/** A notice that takes longer does not come: it may have become a part of a digest. */
const LIMIT_MS = 60_000;

export async function startReceiver(): Promise<Receiver> {
  const browsers = new Map<string, PushBrowser>();
  const waiting = new Map<string, (arrival: Arrival) => void>();
  const hanging = new Set<string>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const at = performance.now();
      const body = Buffer.concat(chunks);
      const name = request.url === '/' ? readTopic(body) : (request.url ?? '').slice(1);
      waiting.get(name)?.({ at, body });
      waiting.delete(name);
      if (hanging.has(name)) return;
      if (request.url !== '/') return void response.writeHead(201).end();
      const kept = { id: 'm1', time: Math.floor(Date.now() / 1000), event: 'message', topic: name };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(kept));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    hanging,
    draft: (kind, name) => {
      if (kind === 'ntfy') return { kind, server: url, topic: name };
      const browser = createPushBrowser();
      browsers.set(name, browser);
      return { kind, subscription: { endpoint: `${url}/${name}`, keys: browser.keys } };
    },
    next: (name) =>
      new Promise((resolve, reject) => {
        const fail = (): void => reject(new Error(`No notice for ${name} within ${LIMIT_MS / 1000} s`));
        const limit = setTimeout(fail, LIMIT_MS);
        waiting.set(name, (arrival) => {
          clearTimeout(limit);
          resolve(arrival);
        });
      }),
    readCode: (kind, name, body) => {
      const message = kind === 'push' ? browsers.get(name)?.read(body) : undefined;
      const code = message?.what === 'proof' ? message.code : /(\d{8}) is your code/.exec(body.toString())?.[1];
      if (code === undefined) throw new Error(`Expected a code for ${name}`);
      return code;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function readTopic(body: Buffer): string {
  return (JSON.parse(body.toString()) as { topic: string }).topic;
}
