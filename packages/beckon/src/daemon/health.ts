import { describeTlsFault } from '../protocol/tls-fault.ts';
import { openRequest, type Pins } from '../where/open-request.ts';

/**
 * What answers at an address: a Beckon, another program, or nothing. `silent`: something is there that cannot answer,
 * such as a Beckon that is too busy or has too many files open, or one whose certificate is not trusted.
 */
export type Health =
  | { kind: 'beckon'; pid: number; version: string }
  | { kind: 'other' }
  | { kind: 'nothing' }
  | { kind: 'silent'; reason: string };

const LIMIT_MS = 2000;

/** Asks who listens at an address. Never throws. `pins`: its certificates, if they are known. */
export async function probe(url: string, pins?: Pins): Promise<Health> {
  try {
    return toHealth(await getText(`${url}/healthz`, pins));
  } catch (error) {
    return toSilence(url, error as NodeJS.ErrnoException);
  }
}

/** The problems that a Beckon reports about itself; empty if it works or does not say. Never throws. */
export async function findProblems(url: string, pins?: Pins): Promise<string[]> {
  try {
    const { problems } = JSON.parse(await getText(`${url}/readyz`, pins)) as { problems?: unknown };
    return Array.isArray(problems) ? problems.map(String) : [];
  } catch {
    return []; // It answered a moment ago, but may have stopped since.
  }
}

function getText(url: string, pins: Pins | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = openRequest(new URL(url), { agent: false }, pins);
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > 10_000) request.destroy();
      });
      response.on('close', () => resolve(text));
    });
    request.setTimeout(LIMIT_MS, () => {
      reject(new Error(`no answer within ${LIMIT_MS / 1000} seconds`));
      request.destroy();
    });
    request.on('error', reject);
    request.end();
  });
}

// A process without a free descriptor accepts a connection and closes it.
function toSilence(url: string, error: NodeJS.ErrnoException): Health {
  const { code = '', message } = error;
  if (code.startsWith('HPE_')) return { kind: 'other' };
  const tlsFault = describeTlsFault(url, error);
  if (tlsFault !== null) return { kind: 'silent', reason: tlsFault };
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EADDRNOTAVAIL':
      return { kind: 'nothing' };
    case 'ECONNRESET':
    case 'EPIPE':
      return { kind: 'silent', reason: `the connection was closed at once (${code}): it may have too many open files` };
    case 'EMFILE':
    case 'ENFILE':
      return { kind: 'silent', reason: `this command may not open a connection: too many open files (${code})` };
    default:
      return { kind: 'silent', reason: code === '' ? message : code };
  }
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
