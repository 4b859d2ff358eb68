import { BeckonError } from '../../protocol/errors.ts';
import { toScopeAdvice } from './errors.ts';
import type { Settings } from './settings.ts';
import type { SlackApi } from './web-api.ts';

const NEEDED = ['chat:write', 'files:write'];
/** To read threads: of public channels, of private ones, of direct messages. Which of them depends on the channels. */
const HISTORY = ['channels:history', 'groups:history', 'im:history', 'mpim:history'];

/** Checks the bot token, its scopes and the channels, so that what is wrong is said at the start. */
export async function checkAccess(api: SlackApi, { channels }: Settings): Promise<void> {
  const scopes = await api.begin();
  const missing = scopes === undefined ? [] : NEEDED.filter((scope) => !scopes.includes(scope));
  if (scopes !== undefined && !HISTORY.some((scope) => scopes.includes(scope))) missing.push('channels:history');
  if (missing.length > 0) throw new BeckonError('invalid_input', toScopeAdvice(missing.join(', ')));
  for (const channel of channels.values()) {
    await api.history(channel, Date.now(), 1).catch((error: unknown) => {
      if (!(error instanceof BeckonError) || error.code !== 'invalid_input') throw error;
      throw new BeckonError('invalid_input', `The channel ${channel} cannot be used. ${error.message}`, {
        cause: error,
      });
    });
  }
}
