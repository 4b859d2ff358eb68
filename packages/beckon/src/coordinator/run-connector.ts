import type { Beckon } from '../core/beckon.ts';
import type { Connector } from '../core/connector.ts';
import { pause } from '../timing/pause.ts';
import { Follower } from './follower.ts';
import { createInbound } from './inbound.ts';
import { MultiConnector } from './multi-connector.ts';
import { withinLimit } from './retries.ts';
import { TextRouter } from './text-router.ts';

/** The pause after a failure of Beckon. */
const RETRY_MS = 1000;
/** How long stopping waits for what is being shown and repainted. */
const STOP_MS = 5000;

/**
 * Runs a connector beside a Beckon that agents ask elsewhere: shows what is pending, then follows the log. After a restart it begins
 * anew, so a connector shows again, once, what is still pending. A failure of Beckon is reported, and then it begins anew as well. What
 * a connector could not show is offered to it again, after growing pauses.
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
        await pause(RETRY_MS, stopping.signal).catch(() => undefined); // It is stopping, which the loop sees.
      }
    }
  }

  return {
    async stop() {
      stopping.abort();
      await following;
      await withinLimit(STOP_MS, follower.finish()).catch(onError);
      await connector.stop();
    },
  };
}
