import { get } from 'node:http';

/** What answers at an address: a Beckon, another program, nothing at all, or something that does not answer in time. */
export type Health =
  | { kind: 'beckon'; pid: number; version: string }
  | { kind: 'other' }
  | { kind: 'nothing' }
  | { kind: 'silent' };

const LIMIT_MS = 2000;

/** Asks who listens at an address. Never throws. */
export function probe(url: string): Promise<Health> {
  return new Promise((resolve) => {
    const request = get(new URL('/healthz', url), { agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > 10_000) request.destroy();
      });
      response.on('close', () => resolve(toHealth(text)));
    });
    request.setTimeout(LIMIT_MS, () => {
      resolve({ kind: 'silent' });
      request.destroy();
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isParsed = error.code?.startsWith('HPE_') === true || error.code === 'ECONNRESET';
      resolve({ kind: isParsed ? 'other' : 'nothing' });
    });
  });
}

/** An address that a client on this machine can reach, for one that means all networks. */
export function toReachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

/** The URL of a Beckon on a host and port. */
export function toUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Whether only this machine can reach the host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function toHealth(text: string): Health {
  try {
    const { name, pid, version } = JSON.parse(text) as Record<string, unknown>;
    if (name === 'beckon' && typeof pid === 'number' && typeof version === 'string')
      return { kind: 'beckon', pid, version };
  } catch {
    // Not JSON, so not a Beckon.
  }
  return { kind: 'other' };
}
