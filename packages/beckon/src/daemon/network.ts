import { networkInterfaces } from 'node:os';
import { isLoopback, isWildcard, toUrl } from '../machine/address.ts';

/** The addresses under which other machines reach a Beckon on a wildcard `host`: all of this machine's. */
export function listAddresses(host: string): string[] {
  if (!isWildcard(host)) return [];
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family, address }) => !internal && isUsable(family, address, host))
    .sort((one, other) => one.family.localeCompare(other.family))
    .map(({ address }) => address);
}

/** What decides how other machines reach a Beckon. */
export interface NetworkPlace {
  host: string;
  port: number;
  publicUrl: string | undefined;
  allowedHosts: readonly string[];
  /** The names of its certificate, if it has TLS itself. Browsers accept no others. */
  tlsNames?: readonly string[] | undefined;
}

/** The URL for other machines, such as a phone; `undefined` if they cannot reach it. */
export function toNetworkUrl({ host, port, publicUrl, allowedHosts, tlsNames }: NetworkPlace): string | undefined {
  if (publicUrl !== undefined) return publicUrl;
  if (isLoopback(host)) return undefined;
  const named = (tlsNames ?? []).filter((name) => !isLoopback(name));
  const own = isWildcard(host) ? [...allowedHosts, ...named, ...listAddresses(host)] : [...named, host];
  const [shared] = own;
  return shared === undefined ? undefined : toUrl(shared, port, tlsNames === undefined ? 'http' : 'https');
}

// A link-local IPv6 address works only with the name of an interface, which differs on each machine.
function isUsable(family: string, address: string, host: string): boolean {
  return family === 'IPv4' || (host === '::' && !address.toLowerCase().startsWith('fe80'));
}
