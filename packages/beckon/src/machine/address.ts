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
export function toUrl(host: string, port: number | string): string {
  return `http://${toUrlHost(host)}:${port}`;
}
