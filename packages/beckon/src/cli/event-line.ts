import { describeEvent } from '../presentation/describe-event.ts';
import { toVisibleLine } from '../presentation/visible.ts';
import type { LogEvent } from '../protocol/events.ts';
import { toLocalTime } from '../terminal/describe.ts';

/** The longest type of an event is a little longer; most are shorter. */
const TYPE_COLUMNS = 22;

/** One event of the log on one line: its number, time, type, what it is about, and details. */
export function toEventLine(event: LogEvent): string {
  const head = [`#${event.seq}`, toLocalTime(event.at), event.type.padEnd(TYPE_COLUMNS)];
  const about = 'interactionId' in event ? [event.interactionId, event.kind] : [event.sessionId];
  const line = [
    ...head,
    ...about.map((text) => toVisibleLine(text, undefined, 'code')),
    describeEvent(event, toLocalTime),
  ];
  return line.join('  ').trimEnd();
}
