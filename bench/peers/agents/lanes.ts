import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from '../../http/connection.ts';

/** The two connections of an agent: the one that asks and waits, and the one that its person answers on. */
interface Lane {
  agent: Connection;
  person: Connection;
}

/** Opens connections as turns need them, some at a time so that none is refused, and keeps them for later turns. */
export function openLanes(open: () => Promise<Connection>): {
  prepare(atOnce: number): Promise<void>;
  get(lane: number): Lane;
} {
  const lanes: Lane[] = [];
  return {
    async prepare(atOnce) {
      if (lanes.length >= atOnce) return;
      while (lanes.length < atOnce) {
        const length = Math.min(100, atOnce - lanes.length);
        const opened = Array.from({ length }, async () => ({ agent: await open(), person: await open() }));
        lanes.push(...(await Promise.all(opened)));
      }
      // Servers accept new connections a little later than the system does.
      await pause(200);
    },
    get(lane) {
      const found = lanes[lane];
      if (found === undefined) throw new Error(`Expected connections for agent ${lane}`);
      return found;
    },
  };
}
