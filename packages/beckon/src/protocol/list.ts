import * as z from 'zod/mini';
import { DECISIONS } from './decision.ts';
import { Id } from './ids.ts';
import { Instant } from './instant.ts';
import { type Interaction, KINDS, STATUSES } from './interaction.ts';
import { LIMITS } from './limits.ts';
import { must } from './parse.ts';

/** Items in a page when the caller names no limit. */
export const DEFAULT_PAGE_ITEMS = 50;

/** Where a page ended, for the one after it. */
export const Cursor = z.string().check(must('a cursor from an earlier page', (cursor) => /^\d{1,15}$/.test(cursor)));

/** Most characters of a person or a project in a filter. */
const NAME_CHARS = 300;

/** The name of a person or a project, as a filter. */
export const FilterName = z
  .string()
  .check(must(`1 to ${NAME_CHARS} characters`, (name) => name.length >= 1 && name.length <= NAME_CHARS));

/** Which interactions to list. `after` is the `next` of the previous page. */
export const ListFilter = z.strictObject({
  status: z.optional(z.enum(STATUSES)),
  kind: z.optional(z.enum(KINDS)),
  chatId: z.optional(Id),
  sessionId: z.optional(Id),
  groupId: z.optional(Id),
  /** What became of it: finer than the status. */
  decision: z.optional(z.enum(DECISIONS)),
  /** Who answered (`answeredBy.who`). */
  person: z.optional(FilterName),
  /** The project that the agent named (`context.project`). */
  project: z.optional(FilterName),
  /** Asked from this time on, and before that one. */
  since: z.optional(Instant),
  until: z.optional(Instant),
  /**
   * Words that must all be in the request, its project, title or branch, the answer or the reason; the last may be a
   * prefix.
   */
  text: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  after: z.optional(Cursor),
  limit: z._default(
    z
      .number()
      .check(
        must(
          `a whole number from 1 to ${LIMITS.pageItems}`,
          (limit) => Number.isInteger(limit) && limit >= 1 && limit <= LIMITS.pageItems,
        ),
      ),
    DEFAULT_PAGE_ITEMS,
  ),
});
export type ListFilter = z.input<typeof ListFilter>;

/** A page of a list, newest first. `next` is absent on the last page. */
export interface Page<Item> {
  items: Item[];
  next?: string;
}

/**
 * A page of interactions. `lastSeq` is the number of the log's last event, read before the items. The events after it
 * have everything that the items lack, and may repeat what they have.
 */
export interface InteractionPage extends Page<Interaction> {
  lastSeq: number;
  /** The search index is behind, so newer interactions may be missing. Each search catches up further. */
  incomplete?: true;
}
