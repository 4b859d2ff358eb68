import { chooseDestination, toDestination } from '../core/destination.ts';
import { type OutboxAdmin, toOutboxDetail } from '../core/outbox.ts';
import type { OutboxControl } from '../core/outbox-control.ts';

/** Gives the outbox of a store that no daemon has to run on. `apiUrl` is the backend that is configured. */
export function createLocalOutbox(outbox: OutboxAdmin, apiUrl: string | undefined): OutboxControl {
  const configured = apiUrl === undefined ? undefined : toDestination(apiUrl);
  const at = (): string => new Date().toISOString();
  return {
    list: (filter) => outbox.list(filter),
    find: async (id) => {
      const entry = await outbox.find(id);
      return entry === null ? null : toOutboxDetail(entry);
    },
    backends: () => outbox.backends(),
    retry: (target) => outbox.retry({ target, ...(configured !== undefined && { destination: configured }) }),
    drop: (target) => outbox.drop({ target, at: at() }),
    pause: async ({ destination: given, reason = 'by hand' }) => {
      const destination = chooseDestination(given, configured);
      return { destination, changed: await outbox.pause({ destination, reason, at: at() }) };
    },
    resume: async ({ destination: given }) => {
      const destination = chooseDestination(given, configured);
      return { destination, changed: await outbox.resume(destination) };
    },
  };
}
