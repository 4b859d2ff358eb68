import type { Beckon } from '../core/beckon.ts';
import type { Connector } from '../core/connector.ts';
import { Duration, toMilliseconds } from '../protocol/duration.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { parse } from '../protocol/parse.ts';
import type { Escalation } from '../protocol/time-policy.ts';
import { startTimer } from '../timing/timer.ts';
import { describe, toReminder } from './describe.ts';

/**
 * What happens to a request as time goes by. The coordinator reminds in its own chat; Beckon passes it on, and has
 * policies of its own for chats and projects (`protocol/time-policy.ts`).
 */
export interface TimePolicy {
  /** How long it waits for an answer; `null` never times out. Default: that of the coordinator. */
  timeout?: Duration | null | undefined;
  /** Reminds the person once, after this time. */
  remindAfter?: Duration | undefined;
  /** Warns the person this long before it expires. */
  warnBefore?: Duration | undefined;
  /** Passes it on to a person or a destination. Default: as the chat or project says. */
  escalate?: readonly Escalation[] | undefined;
}

/** Throws `invalid_input` for a bad duration, before anybody is asked. */
export function checkTimePolicy({ remindAfter, warnBefore }: TimePolicy): void {
  if (remindAfter !== undefined) parse(Duration, remindAfter, { what: 'remindAfter' });
  if (warnBefore !== undefined) parse(Duration, warnBefore, { what: 'warnBefore' });
}

/** What reminding needs. */
export interface ReminderContext {
  beckon: Beckon;
  connector: Connector;
  onError: (error: unknown) => void;
}

/**
 * Reminds and warns until the returned function is called; `undefined` if the policy wants neither. `sinceMs`: since
 * when the person could answer. Default: since it was asked.
 */
export function startReminders(
  { beckon, connector, onError }: ReminderContext,
  interaction: Interaction,
  { remindAfter, warnBefore }: TimePolicy,
  sinceMs = Date.parse(interaction.createdAt),
): (() => void) | undefined {
  if (remindAfter === undefined && warnBefore === undefined) return undefined;
  const stops: (() => void)[] = [];
  const remindIn = (ms: number, text: string): void => {
    if (ms < 0) return;
    const remind = (): void => {
      connector
        .prompt(interaction.chatId, text, interaction.id)
        .then(() => beckon.note(interaction.id, { type: 'reminded' }))
        .catch(onError);
    };
    stops.push(startTimer(ms, remind));
  };
  if (remindAfter !== undefined) {
    // After a restart the time since it was asked counts too, so it may be due already.
    const ageMs = Date.now() - sinceMs;
    remindIn(Math.max(0, toMilliseconds(remindAfter) - ageMs), toReminder(interaction));
  }
  if (warnBefore !== undefined && interaction.expiresAt !== undefined) {
    const leftMs = Date.parse(interaction.expiresAt) - Date.now() - toMilliseconds(warnBefore);
    const seconds = Math.round(toMilliseconds(warnBefore) / 1000);
    remindIn(leftMs, `Expires in ${seconds} s: ${describe(interaction)}`);
  }
  return () => {
    for (const stop of stops) stop();
  };
}
