import type { Update } from 'grammy/types';
import { BeckonError } from '../../protocol/errors.ts';
import { toGrowingMs } from '../../timing/backoff.ts';
import { pauseUntilStop } from '../shared/tries.ts';
import type { BotApi } from './bot-api.ts';

/** The longest pause between two polls that fail. */
const LONGEST_PAUSE_MS = 30_000;

/**
 * Asks Telegram for updates until the signal aborts, one after the other, and goes on whatever fails. `isBacklog`: the
 * update was there before the start. Never rejects.
 */
export async function poll(options: {
  bot: BotApi;
  signal: AbortSignal;
  pollSeconds: number;
  retryMs: number;
  onError: (error: unknown) => void;
  take: (update: Update, isBacklog: boolean) => Promise<void>;
}): Promise<void> {
  const { bot, signal, onError } = options;
  let offset = 0;
  let isBacklog = true;
  let failures = 0;
  const takeOne = async (update: Update): Promise<void> => {
    if (signal.aborted) return;
    try {
      await options.take(update, isBacklog);
    } catch (error) {
      // After a lost connection the update comes again. Any other failure would repeat, and block all later updates.
      if (error instanceof BeckonError && (error.code === 'unreachable' || error.code === 'closed')) throw error;
      onError(error);
    }
    offset = update.update_id + 1;
  };
  while (!signal.aborted) {
    try {
      // The first polls do not wait: they fetch the backlog.
      const updates = await bot.getUpdates(offset, isBacklog ? 0 : options.pollSeconds);
      failures = 0;
      if (updates.length === 0) isBacklog = false;
      for (const update of updates) await takeOne(update);
    } catch (error) {
      if (signal.aborted) return;
      onError(error);
      failures += 1;
      const ms = toGrowingMs(failures, { firstMs: options.retryMs, longestMs: LONGEST_PAUSE_MS });
      await pauseUntilStop(ms, signal).catch(() => undefined); // It is stopping, which the loop sees.
    }
  }
}
