import { isLoopback } from '../machine/address.ts';
import { BeckonError } from '../protocol/errors.ts';

/** How to reach a mail server. */
export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte, TLS before anything else is said, or none. */
  tls: 'implicit' | 'required' | 'off';
  auth?: { user: string; pass: string };
}

const EXPECTED =
  'Expected a mail server such as "smtps://user:password@mail.example.com" or "smtp://mail.example.com:587".';

/**
 * Reads the URL of a mail server. Mails carry login links, so beyond this machine there must be TLS, unless the URL
 * ends with `?tls=off`; a password is never sent without. Throws `invalid_input`, which does not show the URL: it may
 * have a password.
 */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || !/^\/?$/.test(url.pathname)) {
    throw new BeckonError('invalid_input', EXPECTED);
  }
  const isOff = url.search === '?tls=off';
  if ((url.search !== '' && !isOff) || url.hash !== '') throw new BeckonError('invalid_input', EXPECTED);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isImplicit = url.protocol === 'smtps:';
  const tls = isImplicit ? 'implicit' : isOff || isLoopback(host) ? 'off' : 'required';
  const auth = url.username === '' ? undefined : toAuth(url);
  if (auth !== undefined && tls === 'off' && !isLoopback(host)) {
    throw new BeckonError('invalid_input', 'A password is not sent to a mail server without TLS. Remove "?tls=off".');
  }
  const port = url.port === '' ? (isImplicit ? 465 : 587) : Number(url.port);
  return { host, port, tls, ...(auth !== undefined && { auth }) };
}

function toAuth({ username, password }: URL): { user: string; pass: string } {
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  } catch (error) {
    throw new BeckonError(
      'invalid_input',
      'The user or password of the mail server has a stray "%". Write it as %25 in the URL.',
      { cause: error },
    );
  }
}
