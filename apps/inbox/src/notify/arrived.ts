import { toNotificationTitle } from 'beckon/presentation';
import type { Interaction, RiskLevel } from 'beckon/protocol';
import { texts } from './texts.ts';

/** A new request, and how much care it needs, if that is known in time. */
export interface Arrived {
  interaction: Interaction;
  level: RiskLevel | undefined;
}

export function toTitle({ interaction, level }: Arrived): string {
  return toNotificationTitle(interaction, level);
}

/** How many have arrived, in words, and how many of those are dangerous. */
export function toCount(arrived: readonly Arrived[], say: (count: number) => string): string {
  const dangerous = arrived.filter(({ level }) => level === 'dangerous').length;
  return [say(arrived.length), ...(dangerous > 0 ? [texts.dangerous(dangerous)] : [])].join(', ');
}
