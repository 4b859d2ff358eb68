import { describeEvent } from '../presentation/describe-event.ts';
import { toVisibleLine } from '../presentation/visible.ts';
import type { LogEvent } from '../protocol/events.ts';
import { toLocalTime } from '../terminal/describe.ts';

/** The longest type of an event is a little longer; most are shorter. */
const TYPE_COLUMNS = 22;

/** One event of the log on one line: its number, time, type, what it is about, and details. */
export function toEventLine(event: LogEvent): string {
  const head = [`#${event.seq}`, toLocalTime(event.at), event.type.padEnd(TYPE_COLUMNS)];
  const line = [
    ...head,
    ...toSubject(event).map((text) => toVisibleLine(text, undefined, 'code')),
    describeEvent(event, toLocalTime),
  ];
  return line.join('  ').trimEnd();
}

// What an event of a rule says begins with the rule.
function toSubject(event: LogEvent): string[] {
  if ('interactionId' in event) return [event.interactionId, event.kind];
  return 'sessionId' in event ? [event.sessionId] : [];
}
