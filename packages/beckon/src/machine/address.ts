/** Whether only this machine can reach the host. An IPv6 address may be in brackets. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
}

/** Whether the host means every address of this machine. */
export function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** The host under which a client on this machine reaches a server that listens on `host`, which may be a wildcard. */
export function toReachable(host: string): string {
  if (!isWildcard(host)) return host;
  return host === '::' ? '::1' : '127.0.0.1';
}

/** A host as a URL or a `Host` header has it: an IPv6 address in brackets. */
export function toUrlHost(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/** The URL of a server on a host and port. */
export function toUrl(host: string, port: number | string, scheme: 'http' | 'https' = 'http'): string {
  return `${scheme}://${toUrlHost(host)}:${port}`;
}

/**
 * Addresses that one sender can easily have together: of IPv6 the 64 bits that a network gets, otherwise the address
 * itself.
 */
export function toAddressGroup(address: string): string {
  const [plain = ''] = address.toLowerCase().split('%');
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/.exec(plain)?.[1];
  if (mapped !== undefined || !plain.includes(':')) return mapped ?? plain;
  const [head = '', tail] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const parts = tail === undefined ? left : [...left, ...gap, ...right];
  return `${parts
    .slice(0, 4)
    .map((part) => part.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
