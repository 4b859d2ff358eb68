import type { Interaction } from '../protocol/interaction.ts';
import type { InteractionPage, ListFilter } from '../protocol/list.ts';

/** Interactions in one page: each may have a megabyte, and a whole page is in memory. */
const PAGE_ITEMS = 50;
/** How often a search index that is behind is given time: each try takes in about 10,000 events. */
const MOST_TRIES = 1000;

/** Which requests to read: the filters of a list, without pages. */
export type AllFilter = Omit<ListFilter, 'after' | 'limit'>;

/**
 * Every request that passes a filter, the newest first, page by page. It waits until the index has caught up, so that
 * nothing is missing.
 */
export async function* listAll(
  list: (filter: ListFilter) => Promise<InteractionPage>,
  filter: AllFilter,
): AsyncGenerator<Interaction[], void> {
  let page = await list({ ...filter, limit: PAGE_ITEMS });
  for (let tries = 1; page.incomplete === true && tries < MOST_TRIES; tries += 1) {
    page = await list({ ...filter, limit: PAGE_ITEMS });
  }
  yield page.items;
  while (page.next !== undefined) {
    page = await list({ ...filter, limit: PAGE_ITEMS, after: page.next });
    yield page.items;
  }
}
