import type { History } from '../core/history.ts';
import type { LogEvent } from '../protocol/events.ts';

/** Everything that happened to a request. */
export async function readEvents(history: History, id: string): Promise<LogEvent[]> {
  const events: LogEvent[] = [];
  let after: number | undefined;
  do {
    const page = await history.interactionLog(id, { after });
    events.push(...page.events);
    after = page.next;
  } while (after !== undefined);
  return events;
}
