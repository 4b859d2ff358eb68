import type { Outside } from '../adapters/shared/ask-outside.ts';
import { connectBeckon } from '../client/connect-beckon.ts';
import type { Beckon } from '../core/beckon.ts';
import type { Duration } from '../protocol/duration.ts';
import { newId } from '../runtime/new-id.ts';
import { findContextLevel } from '../where/context-level.ts';
import { type FoundBeckon, findBeckon } from '../where/find-beckon.ts';
import { toHome, toHomeFile } from '../where/home.ts';
import { createPinnedFetch } from '../where/pinned-fetch.ts';
import { endLeft, openWaiting } from './waiting.ts';

/** An agent that Beckon has code in. `name`: whose token is used. */
export interface InsideAgent {
  name: string;
  title: string;
}

/** How long Beckon is looked for to end what a dead process left. The next request looks again. */
const LEFT_RETRY = '10s';

/**
 * The way to Beckon from inside an agent. Address and token are looked up for each request, as the hook command does:
 * Beckon may be started, or moved, while the agent runs. Requests of processes that died are ended by the daemon; for
 * a Beckon elsewhere, by the next process.
 */
export function openOutside({ name, title }: InsideAgent, env: NodeJS.ProcessEnv = process.env): Outside {
  const folder = toHomeFile(toHome(env), 'waiting');
  const note = openWaiting(folder, title);
  const find = (): FoundBeckon => findBeckon({ env, agent: name });

  const open = ({ retryFor }: { retryFor: Duration }): Beckon | null => {
    try {
      const found = find();
      if (found.token === undefined || isNowhere(found)) return null;
      return connectBeckon(found.url, {
        token: found.token,
        retryFor,
        fetch: createFetch(found, find),
        contextLevel: findContextLevel(env),
      });
    } catch {
      // Wrong settings: "beckon doctor" says which.
      return null;
    }
  };

  const endOthers = async (): Promise<void> => {
    const beckon = open({ retryFor: LEFT_RETRY });
    if (beckon !== null) await endLeft(folder, (id, reason) => beckon.supersede(id, reason));
  };
  // Without Beckon the files stay for the next time.
  const endOthersQuietly = (): void => void endOthers().catch(() => undefined);

  endOthersQuietly();
  return {
    open,
    keep: (ids) => {
      endOthersQuietly();
      return note(ids);
    },
    newId,
  };
}

/** This machine's own Beckon may come back at another port, with the same requests and tokens. */
function createFetch(first: FoundBeckon, find: () => FoundBeckon): typeof fetch {
  const pinned = createPinnedFetch(first.home);
  return async (input, init) => {
    const now = first.isOwn ? find() : first;
    if (isNowhere(now)) throw new TypeError('Beckon does not run');
    const url = now.isOwn ? now.url : first.url;
    const send = now.certificates === undefined ? fetch : pinned;
    const asked = input instanceof Request ? input.url : input.toString();
    return send(`${url}${asked.slice(first.url.length)}`, init);
  };
}

/** Beckon does not run, and another program may have its usual port: that must not get the token. */
function isNowhere({ by }: FoundBeckon): boolean {
  return by === 'default';
}
