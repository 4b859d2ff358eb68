import { BlockList, isIP } from 'node:net';
import { BeckonError } from '../protocol/errors.ts';

/** IPv4 addresses that lead into a network, to this machine, or to nobody. */
const INSIDE_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** Only these IPv6 addresses are public. The rest is loopback, local, multicast, or another address in disguise. */
const PUBLIC_V6 = '2000::/3';
/** Of those, the ones that lead elsewhere: Teredo and other tunnels, 6to4, documentation. */
const INSIDE_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** Decides which addresses may be used. */
export interface AddressRules {
  /** Whether this host may lead anywhere, because the setting names it. */
  isAllowedHost(host: string): boolean;
  /** Whether an IP address may be connected to. */
  isAllowedAddress(address: string): boolean;
}

/** `allow` has host names, IP addresses and ranges such as `10.1.0.0/16`. Throws `invalid_input` for anything else. */
export function createAddressRules(allow: readonly string[]): AddressRules {
  const inside = toBlockList([...INSIDE_V4, ...INSIDE_V6]);
  const publicV6 = toBlockList([PUBLIC_V6]);
  const hosts = new Set(allow.filter((entry) => !isRange(entry)).map(toHostName));
  const allowed = toBlockList(allow.filter(isRange));
  return {
    isAllowedHost: (host) => hosts.has(toHostName(host)),
    isAllowedAddress: (given) => {
      const address = toPlainAddress(given);
      const family = isIP(address);
      if (family === 0) return false;
      const type = family === 4 ? 'ipv4' : 'ipv6';
      if (allowed.check(address, type)) return true;
      return !inside.check(address, type) && (family === 4 || publicV6.check(address, type));
    },
  };
}

/** A host as it is compared: lower case, without a dot at its end or brackets around it. */
export function toHostName(host: string): string {
  return host
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[(.*)\]$/, '$1');
}

// An IPv4 address in IPv6 notation is that IPv4 address. A URL writes all spellings of it in one way.
function toPlainAddress(address: string): string {
  if (isIP(address) !== 6) return address;
  if (address.includes('%')) return address;
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return canonical;
  const bits = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => Math.floor(bits / 2 ** shift) % 256).join('.');
}

function isRange(entry: string): boolean {
  return isIP(entry.split('/')[0] ?? '') !== 0;
}

function toBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address);
    const length = bits === undefined ? (family === 4 ? 32 : 128) : Number(bits);
    if (!Number.isInteger(length) || length < 0 || length > (family === 4 ? 32 : 128)) {
      throw new BeckonError(
        'invalid_input',
        `Expected a host name, an IP address or a range such as "10.1.0.0/16", got ${JSON.stringify(range)}.`,
      );
    }
    list.addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
