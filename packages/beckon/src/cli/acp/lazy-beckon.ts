import { connectBeckon } from '../../client/connect-beckon.ts';
import type { Beckon } from '../../core/beckon.ts';
import { probe } from '../../daemon/health.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { findContextLevel } from '../../where/context-level.ts';
import { findBeckon } from '../../where/find-beckon.ts';
import { type ClientOptions, connect, RETRY_SECONDS, toWhereFlags } from '../client.ts';

/** A Beckon that is looked for when it is first needed, and again as long as it was not found. */
export interface LazyBeckon {
  /**
   * Throws as every command does. When Beckon was restarted at another address, the one that was given before is
   * closed.
   */
  connect: () => Promise<Beckon>;
  close: () => Promise<void>;
}

/** The Beckon that these options name. */
export function createLazyBeckon(options: ClientOptions): LazyBeckon {
  const flags = toWhereFlags(options);
  let connecting: Promise<Beckon> | undefined;
  let isClosed = false;

  const open = async (): Promise<Beckon> => {
    const { url, access } = await connect(findBeckon({ flags }));
    const beckon = connectBeckon(url, {
      ...access,
      retryFor: RETRY_SECONDS,
      contextLevel: findContextLevel(process.env),
      onError: () => void leaveIfMoved(url, beckon).catch(() => undefined),
    });
    return beckon;
  };
  const leaveIfMoved = async (from: string, beckon: Beckon): Promise<void> => {
    const { url, certificates } = findBeckon({ flags });
    if (url === from || (await probe(url, certificates)).kind !== 'beckon') return;
    connecting = undefined;
    await beckon.close();
  };

  return {
    connect() {
      if (isClosed) return Promise.reject(new BeckonError('closed', 'Beckon was closed.'));
      connecting ??= open().catch((error: unknown) => {
        connecting = undefined;
        throw error;
      });
      return connecting;
    },
    async close() {
      isClosed = true;
      const beckon = await connecting?.catch(() => undefined);
      await beckon?.close();
    },
  };
}
