import type { BackendOptions } from '../bridge/backend.ts';
import { BeckonError } from '../protocol/errors.ts';
import { type Config, isForeign } from './config.ts';

/** The configured backend that hooks are forwarded to; `undefined` if there is none. Throws if it lacks its token. */
export function findBackend({ apiUrl, apiToken, apiSecret, home }: Config): BackendOptions | undefined {
  if (apiUrl.value === undefined) return undefined;
  // The config file of a cloned folder must not send this user's token and hooks to its author.
  if (isForeign(apiUrl, home)) {
    throw new BeckonError(
      'invalid_input',
      `${apiUrl.from} names the backend ${apiUrl.value}. To send your hooks there, set BECKON_API_URL=${apiUrl.value}`,
    );
  }
  if (apiToken.value === undefined) {
    throw new BeckonError(
      'invalid_input',
      `The backend ${apiUrl.value} (${apiUrl.from}) needs a token. Set BECKON_API_TOKEN, or remove the backend.`,
    );
  }
  return { url: apiUrl.value, token: apiToken.value, secret: apiSecret.value };
}
