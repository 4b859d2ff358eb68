import { describeValue } from './describe-value.ts';
import { BeckonError } from './errors.ts';

/** What a URL must be, for messages. Hooks load this module on every call, so it needs no schema. */
const EXPECTED = 'the URL of a Beckon such as "http://127.0.0.1:8228" or "https://beckon.example.com/team"';

/**
 * The URL of a Beckon without a slash at its end: http or https, maybe with a path in front of Beckon's own, and
 * without a user, a query or a fragment. Throws `invalid_input`; `from` says where the text comes from, such as
 * `BECKON_URL`.
 */
export function parseBeckonUrl(text: unknown, from?: string): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && isPlain(url)) {
    return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  }
  // A password in a URL is not repeated: errors end up in logs.
  const got = url !== null && hasUser(url) ? 'one with a user name' : describeValue(text);
  throw new BeckonError(
    'invalid_input',
    from === undefined ? `Expected ${EXPECTED}, got ${got}.` : `Invalid ${from}: expected ${EXPECTED}, got ${got}.`,
  );
}

function isPlain(url: URL): boolean {
  return !hasUser(url) && url.search === '' && url.hash === '';
}

function hasUser({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}
