import { BlockList, isIP } from 'node:net';

const LOOPBACK = ['127.0.0.0/8', '::1'];

/** Whether a text names a range of addresses: an IP address, a range such as `10.0.0.0/8`, or `loopback`. */
export function isAddressRange(text: string): boolean {
  return text === 'loopback' || toRange(text) !== null;
}

/**
 * Gives the check whether an address is in one of the ranges. An IPv4 address may be written as IPv6
 * (`::ffff:10.0.0.1`), as sockets that take both do. What is not an address is in none.
 */
export function createRangeCheck(ranges: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const text of ranges.flatMap((range) => (range === 'loopback' ? LOOPBACK : [range]))) {
    const range = toRange(text);
    if (range === null) throw new Error(`Expected a range of addresses, got ${JSON.stringify(text)}`);
    list.addSubnet(range.address, range.bits, range.family);
  }
  if (ranges.length === 0) return () => false;
  return (address = '') => {
    // An interface may be named behind a link-local address: fe80::1%eth0.
    const [plain = ''] = address.split('%');
    const version = isIP(plain);
    return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  };
}

function toRange(text: string): { address: string; bits: number; family: 'ipv4' | 'ipv6' } | null {
  const [, address = '', size] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return null;
  const most = version === 4 ? 32 : 128;
  const bits = size === undefined ? most : Number(size);
  return bits > most ? null : { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' };
}
