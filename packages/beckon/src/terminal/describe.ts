import { describeOutcome } from '../presentation/describe-outcome.ts';
import type { Interaction } from '../protocol/interaction.ts';

/** The status as a sentence. A pending interaction says until when it waits, by the person's clock. */
export function describeStatus(interaction: Interaction): string {
  const { status, expiresAt } = interaction;
  return status === 'pending' && expiresAt !== undefined
    ? `Waiting for an answer until ${toLocalTime(expiresAt)}.`
    : describeOutcome(interaction);
}

/** A time by the person's clock, with the date unless it is today. */
export function toLocalTime(iso: string): string {
  const at = new Date(iso);
  const time = at.toTimeString().slice(0, 8);
  if (at.toDateString() === new Date().toDateString()) return time;
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  return `${day} ${time}`;
}
