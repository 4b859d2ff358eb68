import { BeckonError } from '../protocol/errors.ts';

/** The backend that was named, else the configured one, in one form. Throws `invalid_input`. */
export function chooseDestination(named: string | undefined, configured: string | undefined): string {
  const url = named ?? configured;
  if (url !== undefined) return toDestination(url);
  throw new BeckonError('invalid_input', 'No backend is configured. Name one: "beckon outbox list" shows them.');
}

/** The address of a backend in one form. Throws `invalid_input` if it is not an address, or has a password in it. */
export function toDestination(url: string): string {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch (error) {
    throw new BeckonError(
      'invalid_input',
      'The address of the backend is not a URL. Give one such as https://team.example',
      { cause: error },
    );
  }
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    throw new BeckonError('invalid_input', `The address of the backend must be http or https, not ${parsed.protocol}`);
  }
  if (parsed.username !== '' || parsed.password !== '' || parsed.search !== '' || parsed.hash !== '') {
    throw new BeckonError(
      'invalid_input',
      'The address of the backend must have no user, password, query or fragment. Give the token apart.',
    );
  }
  return parsed.href.replace(/\/+$/, '');
}
