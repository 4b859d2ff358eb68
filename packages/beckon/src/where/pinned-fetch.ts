import type { TLSSocket } from 'node:tls';
import { findPinFault } from './open-request.ts';
import { findOwnDaemon } from './own-daemon.ts';

/**
 * Gives a `fetch` for this machine's own daemon if it has TLS: it accepts the certificates that the daemon left in its
 * state, and no others. The module behind it is loaded with the first call, because hardly anybody needs it.
 */
export function createPinnedFetch(home: string): typeof fetch {
  let opened: Promise<typeof fetch> | undefined;
  return async (input, init) => {
    opened ??= openFetch(home);
    return (await opened)(input, init);
  };
}

async function openFetch(home: string): Promise<typeof fetch> {
  const { Agent, buildConnector, fetch: send } = await import('undici');
  // A resumed session would not show the certificate.
  const connect = buildConnector({ rejectUnauthorized: false, maxCachedSessions: 0 });
  const dispatcher = new Agent({
    connect: (options, callback) => {
      connect(options, (error, socket) => {
        // Read each time: the daemon takes a renewed certificate without a restart.
        const fault = error ?? findPinFault(socket as TLSSocket, findOwnDaemon(home)?.certificates ?? []);
        if (fault === null) return callback(null, socket as TLSSocket);
        socket?.destroy();
        callback(fault, null);
      });
    },
  });
  return ((input: string, init: object) => send(input, { ...init, dispatcher })) as unknown as typeof fetch;
}
