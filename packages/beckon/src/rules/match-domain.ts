import { fold } from './match-command.ts';

/** The host that a fetch of this address asks, if its text says so plainly; else why not. */
export function readPlainHost(address: string): { host: string } | { why: string } {
  const url = URL.parse(address);
  const written = /^https?:\/\/([^/?#\\@:]*)(?:[/?#][^\\]*)?$/.exec(address)?.[1];
  // URL drops control characters; the agent's tool may not.
  if (url === null || written === undefined || /[\0-\x20\x7f]/.test(address)) {
    return { why: 'the address is not a plain http or https address with a host and no user or port' };
  }
  if (written.toLowerCase() !== url.hostname) return { why: 'the host is not written as it is' };
  return { host: url.hostname };
}

/** Whether a host is the one of a pattern, or below it: `*.example.com` is not `example.com`. */
export function isInDomain(host: string, domain: string): boolean {
  return domain.startsWith('*.') ? host.endsWith(domain.slice(1)) && host.length >= domain.length : host === domain;
}

/** Whether an address, however it is written, could ask a host of the pattern. */
export function couldAsk(address: string, domain: string): boolean {
  const host = toAskedHost(address);
  return host === undefined ? couldName(address, domain) : isInDomain(host, fold(toHost(domain) ?? domain));
}

/** The host of an address, read as generously as anybody might. */
export function toAskedHost(address: string): string | undefined {
  const text = address.trim();
  const url = URL.parse(text) ?? (text.includes('://') ? null : URL.parse(`https://${text}`));
  const host = url?.hostname.replace(/\.+$/, '');
  return host === '' ? undefined : host;
}

/** Whether a text names a host of the pattern anywhere. */
export function couldName(text: string, domain: string): boolean {
  const host = fold(domain).replace(/^\*/, '');
  const folded = fold(text);
  for (let at = folded.indexOf(host); at >= 0; at = folded.indexOf(host, at + 1)) {
    const before = folded[at - 1] ?? ' ';
    const after = folded[at + host.length] ?? ' ';
    if ((host.startsWith('.') ? /[\p{L}\d-]/u : /[^\p{L}\d.-]/u).test(before) && !/[\p{L}\d-]/u.test(after))
      return true;
  }
  return false;
}

/** A domain as hosts are compared: small letters, other alphabets as `xn--`. `undefined` if it is none. */
export function toHost(domain: string): string | undefined {
  const isBelow = domain.startsWith('*.');
  const name = isBelow ? domain.slice(2) : domain;
  if (!/^[^\s/?#@:\\%*]+$/.test(name) || name.endsWith('.')) return undefined;
  const host = URL.parse(`https://${name}`)?.hostname;
  return host === undefined || host === '' ? undefined : `${isBelow ? '*.' : ''}${host}`;
}
