import { toJsonText, toVisibleLine } from '../presentation/visible.ts';
import { describeAnswerer } from '../presentation/who.ts';
import type { LogEvent } from '../protocol/events.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { toLocalTime } from '../terminal/describe.ts';

/** The answer alone, as `beckon ask` prints it: the text, the decision, or JSON where it has several fields. */
export function toAnswerText(interaction: Interaction): string {
  switch (interaction.kind) {
    case 'question':
      return interaction.answer?.text ?? '';
    case 'plan_review':
    case 'approval':
      return interaction.answer?.decision ?? '';
    case 'form':
      return JSON.stringify(interaction.answer?.values ?? {});
    case 'component':
      return JSON.stringify(interaction.answer ?? {});
  }
}

/** One event of the log on one line. */
export function describeEvent(event: LogEvent): string {
  const head = `#${event.seq}  ${toLocalTime(event.at)}  ${event.type.padEnd(22)}`;
  // What people say is prose; the other events have names alone.
  const place = event.type.startsWith('interaction.') ? 'prose' : 'code';
  return `${head}  ${toVisibleLine(toEventDetails(event), 160, place)}`.trimEnd();
}

function toEventDetails(event: LogEvent): string {
  switch (event.type) {
    case 'interaction.answered':
    case 'interaction.late_answer':
      return `${event.interactionId}  ${describeAnswerer(event.by)}: ${toJsonText(event.answer)}`;
    case 'interaction.feedback_requested':
      return `${event.interactionId}  ${describeAnswerer(event.by)}`;
    case 'interaction.cancelled':
    case 'interaction.superseded':
      return `${event.interactionId}  ${event.reason ?? ''}`;
    case 'interaction.undeliverable':
      return `${event.interactionId}  ${event.connector}: ${event.error}`;
    case 'interaction.delivered':
      return `${event.interactionId}  ${event.connector}`;
    case 'interaction.requested':
    case 'interaction.expired':
    case 'interaction.reminded':
      return `${event.interactionId}  ${event.kind}`;
    case 'hook.received':
    case 'hook.forwarded':
      return `${event.sessionId}  ${event.eventType}`;
    case 'hook.dead':
      return `${event.sessionId}  ${event.eventType}: ${event.error}`;
    case 'session.started':
    case 'session.ended':
      return event.sessionId;
  }
}
