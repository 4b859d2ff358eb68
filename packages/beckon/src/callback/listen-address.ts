import { isIP } from 'node:net';
import { isLoopback, toUrlHost } from '../machine/address.ts';

/** Where a callback server listens, and the host that pages reach it by. */
export interface ListenAddress {
  /** What the socket is bound to. */
  bind: string;
  /** The host in callback URLs, with brackets around an IPv6 one. */
  name: string;
  isLoopback: boolean;
}

/** Loopback, unless a host is given. A host name beyond loopback means listening on every interface of this machine. */
export function toListenAddress(host: string | undefined): ListenAddress {
  if (host === undefined || host === '') return { bind: '127.0.0.1', name: '127.0.0.1', isLoopback: true };
  const plain = host.replace(/^\[(.*)\]$/, '$1');
  const name = toUrlHost(plain);
  if (isLoopback(plain)) return { bind: plain === 'localhost' ? '127.0.0.1' : plain, name, isLoopback: true };
  return { bind: isIP(plain) === 0 ? '0.0.0.0' : plain, name, isLoopback: false };
}

/** Whether the request's `Host` is ours: others come from pages whose name was made to point here (DNS rebinding). */
export function isKnownHost(header: string | undefined, { name, isLoopback: isLocal }: ListenAddress): boolean {
  const host = (header ?? '').toLowerCase().replace(/:\d*$/, '');
  if (host === name.toLowerCase()) return true;
  // Beyond loopback the URL is signed, and a proxy in front may use a name of its own.
  return !isLocal || isLoopback(host);
}
