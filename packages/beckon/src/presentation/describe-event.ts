import type { LogEvent } from '../protocol/events.ts';
import { toAnswerText } from './answer-text.ts';
import { toVisibleLine } from './visible.ts';
import { describeAnswerer } from './who.ts';

/** An answer, an error or a reason may be long; more of it is in the interaction itself. */
const DETAIL_CHARS = 500;

/**
 * What a log event says besides its type, on one line that can be shown anywhere; empty if it says nothing more.
 * `formatTime` shows a time as the surface does.
 */
export function describeEvent(event: LogEvent, formatTime: (iso: string) => string): string {
  switch (event.type) {
    case 'interaction.requested':
      return event.expiresAt === undefined ? 'no deadline' : `until ${formatTime(event.expiresAt)}`;
    case 'interaction.delivered':
      return toName(event.connector);
    case 'interaction.undeliverable':
      return `${toName(event.connector)}: ${toVisibleLine(event.error, DETAIL_CHARS)}`;
    case 'interaction.feedback_requested':
      return describeAnswerer(event.by);
    case 'interaction.answered':
    case 'interaction.late_answer':
      return `${describeAnswerer(event.by)}: ${toVisibleLine(toAnswerText(event.answer), DETAIL_CHARS)}`;
    case 'interaction.cancelled':
    case 'interaction.superseded':
    case 'interaction.withheld':
      return toVisibleLine(event.reason ?? '', DETAIL_CHARS);
    case 'hook.received':
    case 'hook.forwarded':
      return toName(event.eventType);
    case 'hook.dead':
      return `${toName(event.eventType)}: ${toVisibleLine(event.error, DETAIL_CHARS)}`;
    case 'session.started':
      return toName(event.conversationId ?? '');
    case 'session.renamed': {
      const title = toVisibleLine(event.title, DETAIL_CHARS);
      return `${toName(event.by)}: ${title === '' ? 'title removed' : title}`;
    }
    case 'interaction.watched':
      return `${toName(event.ruleId)} would ${event.effect}`;
    case 'rule.added':
    case 'rule.changed':
    case 'rule.removed':
      return `${toName(event.ruleId)} by ${toName(event.by)}`;
    case 'rule.stopped': {
      const by = event.by === undefined ? '' : ` by ${toName(event.by)}`;
      return `${toName(event.ruleId)}${by}: ${toVisibleLine(event.why, DETAIL_CHARS)}`;
    }
    case 'interaction.escalated': {
      const problem = event.problem === undefined ? '' : toVisibleLine(event.problem, DETAIL_CHARS);
      return `to ${toName(event.to)}${problem === '' ? '' : `, but nobody was told: ${problem}`}`;
    }
    case 'policy.set':
    case 'policy.removed': {
      // One of the two is given.
      const of = event.chatId === undefined ? `project ${toName(`${event.project}`)}` : `chat ${toName(event.chatId)}`;
      return `${of} by ${toName(event.by)}`;
    }
    case 'interaction.expired':
    case 'interaction.reminded':
    case 'session.ended':
      return '';
  }
}

function toName(name: string): string {
  return toVisibleLine(name, DETAIL_CHARS, 'code');
}
