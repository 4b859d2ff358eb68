import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { CertificateFiles } from '../../packages/beckon/src/testing/harness/certificates.ts';

/** A server that adds TLS to another, as a reverse proxy does. */
export interface TlsFront {
  /** Its port, on loopback of IPv4 and IPv6. */
  port: number;
  /** The paths that were asked for, without their query. */
  seen: string[];
  close(): Promise<void>;
}

/**
 * Puts TLS in front of the server at `target`. It passes on what begins with `prefix`, without it, and knows nothing
 * else.
 */
export async function openTlsFront(target: string, files: CertificateFiles, prefix = ''): Promise<TlsFront> {
  const seen: string[] = [];
  const tls = { cert: readFileSync(files.cert), key: readFileSync(files.key) };
  const server = createServer(tls, (incoming, outgoing) => {
    const path = incoming.url ?? '';
    seen.push(path.split('?')[0] ?? '');
    if (!path.startsWith(`${prefix}/`)) {
      outgoing.writeHead(404).end('no such place');
      return;
    }
    const headers = { ...incoming.headers, 'x-forwarded-proto': 'https', 'x-forwarded-prefix': prefix };
    const onward = request(`${target}${path.slice(prefix.length)}`, { method: incoming.method ?? 'GET', headers });
    onward.on('response', (reply: IncomingMessage) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    onward.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  }).listen(0, '::');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
