import type { Beckon } from '../../core/beckon.ts';
import type { LogEvent } from '../../protocol/events.ts';
import { useEach } from './use-each.ts';

/** A database of its own, empty at first. */
export interface BeckonDatabase {
  /** Opens one more Beckon on it, as another process would. */
  open(): Promise<Beckon>;
  /** Closes every Beckon that is still open and removes the database. */
  dispose(): Promise<void>;
}

/** Makes an empty database. */
export type CreateBeckonDatabase = () => Promise<BeckonDatabase>;

/** For each test around it a new database with one open Beckon. */
export function useBeckons(create: CreateBeckonDatabase): { readonly beckon: Beckon; open(): Promise<Beckon> } {
  const current = useEach<{ database: BeckonDatabase; beckon: Beckon }>(async (runTest) => {
    const database = await create();
    try {
      await runTest({ database, beckon: await database.open() });
    } finally {
      await database.dispose();
    }
  });
  return {
    get beckon() {
      return current().beckon;
    },
    open: () => current().database.open(),
  };
}

/** Reads the log until `isLast`, and returns what it read. */
export async function readEvents(
  beckon: Beckon,
  isLast: (event: LogEvent) => boolean,
  options: { after?: number; signal?: AbortSignal } = { after: 0 },
): Promise<LogEvent[]> {
  const events: LogEvent[] = [];
  for await (const event of beckon.events(options)) {
    events.push(event);
    if (isLast(event)) break;
  }
  return events;
}
