import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Driver } from '../../packages/beckon/src/store/driver.ts';

/**
 * A real driver on a slow network: what it reads arrives some turns of the event loop after it was read, so that it can
 * be out of date by then. Writes are not slowed down.
 */
export function slowDown(driver: Driver): Driver {
  let reads = 0;
  async function late<Result>(reading: Promise<Result>): Promise<Result> {
    const result = await reading;
    reads += 1;
    for (let turn = 0; turn < reads % 5; turn += 1) await nextTurn();
    return result;
  }
  return {
    engine: driver.engine,
    bigint: driver.bigint,
    all: (sql, values) => late(driver.all(sql, values)),
    findIn: (table, column, values) => late(driver.findIn(table, column, values)),
    hasTable: (name) => driver.hasTable(name),
    write: (work) => driver.write(work),
    prepare: () => driver.prepare(),
    announce: (seq) => driver.announce(seq),
    follow: (onChange) => driver.follow(onChange),
    close: () => driver.close(),
  };
}
