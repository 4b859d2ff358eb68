import type * as socketMode from '@slack/socket-mode';
import type * as slack from '@slack/web-api';
import { BeckonError } from '../../protocol/errors.ts';

/** Loads Slack's packages, which only Slack users install. Throws `not_installed`. */
export async function loadLibraries(): Promise<{ web: typeof slack; socket: typeof socketMode }> {
  try {
    return { web: await import('@slack/web-api'), socket: await import('@slack/socket-mode') };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const message =
      'Slack needs two packages that are not installed. Run: npm install @slack/web-api @slack/socket-mode';
    throw new BeckonError('not_installed', message, { cause: error });
  }
}
