import type { EntryWhat } from '../core/notice-outbox.ts';
import type { PersonalDestination } from '../protocol/destination.ts';
import { toMilliseconds } from '../protocol/duration.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { toLoudTime } from './quiet-hours.ts';

type When = PersonalDestination['when'];

/** Clocks of machines may differ by so much. A request from later than that was asked before a clock was set back. */
const SKEW_MS = 60_000;

/**
 * When a person is to be told of a request, seen from `at`: after the delay that they chose, before it expires, never
 * in their quiet hours. `null`: never, because it will have expired by then.
 */
export function toDueAt(
  interaction: Interaction,
  when: When,
  { whats, at }: { whats: readonly EntryWhat[]; at: number },
): number | null {
  const wanted = Math.min(...whats.map((what) => toWantedAt(what, interaction, when, at)));
  const dueAt = toLoudAt(Math.max(wanted, at), when);
  return dueAt < toExpiresAt(interaction) ? dueAt : null;
}

/** The first instant from `at` on that is not in quiet hours. */
export function toLoudAt(at: number, { quiet }: When): number {
  return quiet === undefined ? at : toLoudTime(at, quiet);
}

/** When to tell again because the request expires; `null` if nobody wants that. */
export function toExpiringAt(interaction: Interaction, { beforeExpiry }: When): number | null {
  if (beforeExpiry === undefined || interaction.expiresAt === undefined) return null;
  return toExpiresAt(interaction) - toMilliseconds(beforeExpiry);
}

/** When the request expires. */
export function toExpiresAt({ expiresAt }: Interaction): number {
  return expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
}

function toWantedAt(what: EntryWhat, interaction: Interaction, when: When, at: number): number {
  const expiringAt = toExpiringAt(interaction, when) ?? Number.POSITIVE_INFINITY;
  switch (what) {
    case 'asked': {
      const askedAt = Date.parse(interaction.createdAt);
      return askedAt > at + SKEW_MS ? at : Math.min(askedAt + toMilliseconds(when.after), expiringAt);
    }
    case 'expiring':
      return expiringAt;
    default:
      return at;
  }
}
