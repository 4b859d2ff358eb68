import { connectBeckon } from '../../client/connect-beckon.ts';
import type { Beckon } from '../../core/beckon.ts';
import { findBeckon } from '../../where/find-beckon.ts';
import { type ClientOptions, connect, RETRY_SECONDS, toWhereFlags } from '../client.ts';

/** A Beckon that is looked for when it is first needed, and again as long as it was not found. */
export interface LazyBeckon {
  connect: () => Promise<Beckon>;
  close: () => Promise<void>;
}

/** The Beckon that these options name. */
export function createLazyBeckon(options: ClientOptions): LazyBeckon {
  let connecting: Promise<Beckon> | undefined;
  const open = async (): Promise<Beckon> => {
    const { url, access } = await connect(findBeckon({ flags: toWhereFlags(options) }));
    return connectBeckon(url, { ...access, retryFor: RETRY_SECONDS });
  };
  return {
    connect() {
      connecting ??= open().catch((error: unknown) => {
        connecting = undefined;
        throw error;
      });
      return connecting;
    },
    async close() {
      const beckon = await connecting?.catch(() => undefined);
      await beckon?.close();
    },
  };
}
