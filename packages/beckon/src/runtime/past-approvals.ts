import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Store } from '../core/store.ts';
import type { InteractionOf } from '../protocol/interaction.ts';

/** How far back rules are tried. */
export const MOST_PAST = 5000;
/** Approvals in one page: each may have a megabyte, and asks wait while a page is read and looked at. */
const PAGE_ITEMS = 50;

/**
 * The newest approvals, page by page, the newest first. Reading takes no lock, and between two pages everything else
 * that waits has its turn.
 */
export async function* readPastApprovals(
  store: Pick<Store, 'list'>,
  chatId: string | undefined,
): AsyncGenerator<InteractionOf<'approval'>[], void> {
  let after: string | undefined;
  for (let left = MOST_PAST; left > 0; left -= PAGE_ITEMS) {
    const page = await store.list({
      kind: 'approval',
      limit: Math.min(PAGE_ITEMS, left),
      ...(chatId !== undefined && { chatId }),
      ...(after !== undefined && { after }),
    });
    yield page.items.filter((interaction) => interaction.kind === 'approval');
    after = page.next;
    if (after === undefined) return;
    await yieldToOthers();
  }
}
