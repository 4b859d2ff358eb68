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

/** The URL for other machines, such as a phone; `undefined` if they cannot reach it. */
export function toNetworkUrl(host: string, allowedHosts: readonly string[], port: number): string | undefined {
  if (isLoopback(host)) return undefined;
  const shared = isWildcard(host) ? [...allowedHosts, ...listAddresses(host)][0] : host;
  return shared === undefined ? undefined : toUrl(shared, port);
}

// A link-local IPv6 address works only with the name of an interface, which differs on each machine.
function isUsable(family: string, address: string, host: string): boolean {
  return family === 'IPv4' || (host === '::' && !address.toLowerCase().startsWith('fe80'));
}
