import type { BackendOptions } from '../bridge/backend.ts';
import { BeckonError } from '../protocol/errors.ts';
import { type Config, isForeign } from './config.ts';

/** The backend that hooks are forwarded to, as it is set; `undefined` where none is. Throws for one that is set by half. */
export function findBackend({ apiUrl, apiToken, apiSecret, home }: Config): BackendOptions | undefined {
  if (apiUrl.value === undefined) return undefined;
  // A file in a folder that came from elsewhere must not send this user's token, and everything an agent does, to its author.
  if (isForeign(apiUrl, home)) {
    throw new BeckonError(
      'invalid_input',
      `${apiUrl.from} names the backend ${apiUrl.value}. Say that you mean it: set BECKON_API_URL=${apiUrl.value}`,
    );
  }
  if (apiToken.value === undefined) {
    throw new BeckonError(
      'invalid_input',
      `The backend ${apiUrl.value} (${apiUrl.from}) needs a token. Set BECKON_API_TOKEN, or take the backend away.`,
    );
  }
  return { url: apiUrl.value, token: apiToken.value, secret: apiSecret.value };
}
