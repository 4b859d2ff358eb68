/** Whether only this machine can reach the host. An IPv6 address may stand in brackets. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
}

/** An address that a client on this machine can reach, for one that means all networks. */
export function toReachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

/** A host as it stands in a URL or a `Host` header: an IPv6 address in brackets. */
export function toUrlHost(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/** The URL of a server on a host and port. */
export function toUrl(host: string, port: number | string): string {
  return `http://${toUrlHost(host)}:${port}`;
}
