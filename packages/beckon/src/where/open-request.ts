import type { ClientRequest } from 'node:http';
import type { RequestOptions } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { OTHER_CERTIFICATE } from '../protocol/tls-fault.ts';

/**
 * SHA-256 of the certificates that a server must show. Any of them will do, even one that nobody has signed. `any` is
 * for questions that say nothing to nobody in particular, such as who has a port.
 */
export type Pins = readonly string[] | 'any';

/**
 * Opens a request over HTTP or HTTPS. With `pins`, the server must show one of these certificates; otherwise the usual
 * rules of TLS hold. Nothing is sent before that.
 *
 * The modules are not imported: that would load everything they offer, WebSockets included, and double the time of a
 * hook.
 */
export function openRequest(url: URL, options: RequestOptions, pins?: Pins): ClientRequest {
  if (url.protocol !== 'https:') return process.getBuiltinModule('node:http').request(url, options);
  const { request } = process.getBuiltinModule('node:https');
  if (pins === undefined) return request(url, options);
  const outgoing = request(url, { ...options, rejectUnauthorized: false });
  outgoing.on('socket', (socket) => {
    socket.once('secureConnect', () => {
      const fault = findPinFault(socket as TLSSocket, pins);
      if (fault !== null) socket.destroy(fault);
    });
  });
  return outgoing;
}

/** Why a connection is with another server than the pinned one; `null` if it is with that. */
export function findPinFault(socket: TLSSocket, pins: Pins): Error | null {
  const shown = socket.getPeerX509Certificate()?.fingerprint256;
  if (pins === 'any' || (shown !== undefined && pins.includes(shown))) return null;
  return Object.assign(new Error('The certificate is not the one in daemon.json'), { code: OTHER_CERTIFICATE });
}
