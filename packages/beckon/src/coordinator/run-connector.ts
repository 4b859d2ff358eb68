import type { Beckon } from '../core/beckon.ts';
import type { Connector } from '../core/connector.ts';
import { pause } from '../timing/pause.ts';
import { Follower } from './follower.ts';
import { createInbound } from './inbound.ts';
import { MultiConnector } from './multi-connector.ts';
import { withinLimit } from './retries.ts';
import { TextRouter } from './text-router.ts';

/** The pause after Beckon failed. */
const RETRY_MS = 1000;
/** How long stopping waits for work under way. */
const STOP_MS = 5000;

/**
 * Runs a connector for a Beckon that agents ask elsewhere: shows what is pending, then follows the log. After a
 * restart, and after a reported failure of Beckon, it starts over and shows again what is still pending. What could not
 * be shown is tried again after growing pauses.
 */
export async function runConnector(options: {
  beckon: Beckon;
  connector: Connector;
  onError: (error: unknown) => void;
}): Promise<{ stop(): Promise<void> }> {
  const { beckon, onError } = options;
  const connector = MultiConnector.of(options.connector, { beckon, onError });
  const stopping = new AbortController();
  const follower = new Follower(beckon, connector, stopping.signal);
  // A text typed here is not meant for what nobody has seen here.
  const router = new TextRouter(beckon, { isSeen: (id) => follower.hasShown(id) });
  await connector.start(createInbound(beckon, router));
  const following = follow();

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await follower.run();
      } catch (error) {
        if (stopping.signal.aborted) return;
        onError(error);
        await pause(RETRY_MS, stopping.signal).catch(() => undefined); // Stopping ends the pause, and the loop sees that.
      }
    }
  }

  return {
    async stop() {
      stopping.abort();
      await following;
      await withinLimit(STOP_MS, () => follower.finish()).catch(onError);
      await connector.stop();
    },
  };
}
