import { describeAnswerer, toVisibleLine } from 'beckon/presentation';
import type { Answer, LogEvent } from 'beckon/protocol';
import { formatInstant } from '../../interactions/instants.ts';
import { texts } from './texts.ts';

/** The details of a log event, as lines. */
export function describeEvent(event: LogEvent): string[] {
  switch (event.type) {
    case 'interaction.requested':
      return [event.expiresAt === undefined ? texts.noDeadline : texts.deadline(formatInstant(event.expiresAt))];
    case 'interaction.delivered':
      return [toVisibleLine(event.connector)];
    case 'interaction.undeliverable':
      return [toVisibleLine(event.connector), toVisibleLine(event.error, 500)];
    case 'interaction.feedback_requested':
      return [describeAnswerer(event.by)];
    case 'interaction.answered':
    case 'interaction.late_answer':
      return [describeAnswerer(event.by), ...describeAnswer(event.answer)];
    case 'interaction.cancelled':
    case 'interaction.superseded':
      return event.reason === undefined || event.reason === '' ? [] : [toVisibleLine(event.reason, 500)];
    case 'hook.received':
    case 'hook.forwarded':
      return [toVisibleLine(event.eventType)];
    case 'hook.dead':
      return [toVisibleLine(event.eventType), toVisibleLine(event.error, 500)];
    case 'session.started':
      return event.conversationId === undefined ? [] : [toVisibleLine(event.conversationId)];
    case 'interaction.expired':
    case 'interaction.reminded':
    case 'session.ended':
      return [];
  }
}

function describeAnswer(answer: Answer): string[] {
  const lines: string[] = [];
  if ('decision' in answer) {
    lines.push(texts.decisions[answer.decision] ?? answer.decision);
    if ('feedback' in answer && answer.feedback) lines.push(toVisibleLine(answer.feedback, 300));
    if ('message' in answer && answer.message) lines.push(toVisibleLine(answer.message, 300));
  } else if ('text' in answer) lines.push(toVisibleLine(answer.text, 300));
  else if ('values' in answer) lines.push(toVisibleLine(JSON.stringify(answer.values), 300));
  else lines.push(toVisibleLine(`${answer.action} ${JSON.stringify(answer.data)}`, 300));
  return lines;
}
