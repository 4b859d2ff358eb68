import { isIP } from 'node:net';
import { isLoopback, toUrlHost } from '../machine/address.ts';

/** Where a callback server listens, and under which name pages reach it. */
export interface Address {
  /** What the socket is bound to. */
  bind: string;
  /** The host in the address, an IPv6 one in brackets. */
  name: string;
  isLoopback: boolean;
}

/** Loopback, unless a host is given. A name beyond loopback means that every interface of this machine is listened on. */
export function toAddress(host: string | undefined): Address {
  if (host === undefined || host === '') return { bind: '127.0.0.1', name: '127.0.0.1', isLoopback: true };
  const plain = host.replace(/^\[(.*)\]$/, '$1');
  const name = toUrlHost(plain);
  if (isLoopback(plain)) return { bind: plain === 'localhost' ? '127.0.0.1' : plain, name, isLoopback: true };
  return { bind: isIP(plain) === 0 ? '0.0.0.0' : plain, name, isLoopback: false };
}

/** The name of the server for an address and the port that was asked for. */
export function toPlace({ bind }: Address, port: number): string {
  return `${bind}:${port}`;
}

/** Whether the request's `Host` is one of ours: others come from pages whose name was made to point here. */
export function isKnownHost(header: string | undefined, { name, isLoopback: isLocal }: Address): boolean {
  // The usual case, before anything is looked at closely.
  if (header?.startsWith(name) === true && /^(?::\d*)?$/.test(header.slice(name.length))) return true;
  const host = (header ?? '').toLowerCase().replace(/:\d*$/, '');
  if (host === name.toLowerCase()) return true;
  // Beyond loopback the address is signed, and a proxy before us may use a name of its own.
  return !isLocal || isLoopback(host);
}
