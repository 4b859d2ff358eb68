import { findLookAlikes } from '../presentation/look-alikes.ts';
import type { Code } from './codes.ts';

const METADATA =
  /^(?:169\.254\.169\.254|169\.254\.170\.2|metadata\.google\.internal|metadata|100\.100\.100\.200|\[fd00:ec2::254\]|metadata\.azure\.com)$/i;
const PRIVATE =
  /^(?:localhost|.+\.localhost|.+\.local|.+\.internal|.+\.lan|host\.docker\.internal|127\.\d+\.\d+\.\d+|0\.0\.0\.0|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+|169\.254\.\d+\.\d+|\[::1?\]|\[f[cd][\da-f:]+\]|\[fe80:[\da-f:]+\]|\[::ffff:.+\])$/i;
const NUMERIC = /^(?:\d+\.\d+\.\d+\.\d+|\[[\da-f:.]+\])$/i;
/** Data that a host would learn from an address: keys by name, or long letters that say nothing. */
const DATA =
  /[?&#](?:[\w-]*(?:token|secret|password|passwd|api_?key|access_key|auth|session|cookie|data|payload|exfil|body|content)[\w-]*)=[^&]{8,}|[?&][\w-]+=[A-Za-z0-9+/=_%-]{80,}/i;
const MOST_CHARS = 8192;

/** Reads an address. A command may leave out its scheme. */
export function readUrl(text: string): URL | undefined {
  try {
    return new URL(
      /^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^(?:file|data|javascript|about):/i.test(text) ? text : `http://${text}`,
    );
  } catch {
    return undefined;
  }
}

/** Whether a host is this machine or one in its network. */
export function isPrivateHost(host: string): boolean {
  return PRIVATE.test(host);
}

/**
 * Reports what is special about an address. A command often asks programs of its own machine, so there a private or
 * unencrypted address says less than where an agent looks something up.
 */
export function checkAddress(text: string, report: (code: Code) => void, by: 'command' | 'tool'): void {
  const address = text.slice(0, MOST_CHARS);
  const url = readUrl(address.trim());
  if (url === undefined) {
    if (by === 'tool') report('other-scheme');
    return;
  }
  const { protocol, hostname, username, password, search, hash } = url;
  if (protocol !== 'http:' && protocol !== 'https:') {
    if (by === 'tool' || protocol === 'file:') report('other-scheme');
    return;
  }
  if (METADATA.test(hostname)) report('metadata-address');
  else if (isPrivateHost(hostname)) {
    if (by === 'tool') report('private-address');
  } else if (NUMERIC.test(hostname)) report('numeric-address');
  if (username !== '' || password !== '') report('login-in-address');
  if (isLookAlike(hostname, address)) report('look-alike-host');
  const isGiven = /^http:/i.test(address.trim());
  if (protocol === 'http:' && isGiven && !isPrivateHost(hostname) && !METADATA.test(hostname)) report('not-encrypted');
  if (DATA.test(`${search}${hash}`)) report('data-in-address');
}

// A name in another script is written as `xn--`; the browser shows its letters, which may look like others.
function isLookAlike(host: string, address: string): boolean {
  const written = /^[a-z]+:\/\/([^/?#]*)/i.exec(address)?.[1] ?? '';
  return /(?:^|\.)xn--/.test(host) || findLookAlikes(written, 'code').length > 0 || /[^\x20-\x7e]/.test(written);
}
