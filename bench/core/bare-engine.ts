import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { toIso } from '../../packages/beckon/src/core/clock.ts';
import type { InteractionEvent } from '../../packages/beckon/src/core/transition.ts';
import { transition } from '../../packages/beckon/src/core/transition.ts';
import { MIGRATIONS } from '../../packages/beckon/src/store/migrations/index.ts';
import { toInteractionChange, toInteractionRow, toLogRow } from '../../packages/beckon/src/store/rows.ts';
import { INTERACTION_CHANGES, INTERACTIONS, LOG, type Table } from '../../packages/beckon/src/store/tables.ts';
import { createIds, toAnsweredEvent, toPending, toRequestedEvent } from './workload.ts';

type Values = (string | number | null)[];

/** The rows of a number of round trips, ready to be bound. */
interface Rows {
  asks: Values[];
  requestedEvents: Values[];
  answers: Values[];
  answeredEvents: Values[];
  lastSeq: number;
}

/**
 * Writes the rows of round trips with `node:sqlite` alone, in the product's schema and as durably: a commit for `batch`
 * asks, then one for their answers. Nothing is checked, looked up or woken, and the rows are made outside the measured
 * time: no program on this engine can be faster with the same commits. Returns round trips a second.
 */
export function measureBareEngine(path: string, { batch, sliceMs }: { batch: number; sliceMs: number }): number {
  const database = new DatabaseSync(path);
  try {
    database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536');
    for (const migration of MIGRATIONS) {
      for (const statement of migration({ engine: 'sqlite', bigint: 'integer' })) database.exec(statement);
    }
    const write = createWriter(database);
    const nextRows = createRows(batch);
    let roundTrips = 0;
    let busyMs = 0;
    while (busyMs < sliceMs) {
      const rows = nextRows();
      const startedAt = performance.now();
      write(rows);
      busyMs += performance.now() - startedAt;
      roundTrips += batch;
    }
    return (roundTrips / busyMs) * 1000;
  } finally {
    database.close();
  }
}

function createWriter(database: DatabaseSync): (rows: Rows) => void {
  const insertInteraction = prepareInsert(database, INTERACTIONS);
  const insertEvent = prepareInsert(database, LOG);
  const settle = database.prepare(
    `update interactions set status = ?2, awaiting_feedback = ?3, settled_at = ?4, outcome = ?5
     where seq = ?1 and status = 'pending'`,
  );
  const moveHead = database.prepare('update log_head set seq = ?1');
  return ({ asks, requestedEvents, answers, answeredEvents, lastSeq }) => {
    database.exec('begin immediate');
    for (const values of asks) insertInteraction.run(...values);
    for (const values of requestedEvents) insertEvent.run(...values);
    moveHead.run(lastSeq - answers.length);
    database.exec('commit');
    database.exec('begin immediate');
    for (const values of answers) settle.run(...values);
    for (const values of answeredEvents) insertEvent.run(...values);
    moveHead.run(lastSeq);
    database.exec('commit');
  };
}

function prepareInsert<Row>(database: DatabaseSync, table: Table<Row>): StatementSync {
  const columns = Object.keys(table.columns);
  const places = columns.map((_, index) => `?${index + 1}`);
  return database.prepare(`insert into ${table.name} (${columns.join(', ')}) values (${places.join(', ')})`);
}

function createRows(batch: number): () => Rows {
  const newId = createIds();
  let seq = 0;
  return () => {
    const rows: Rows = { asks: [], requestedEvents: [], answers: [], answeredEvents: [], lastSeq: seq + 2 * batch };
    for (let lane = 0; lane < batch; lane += 1) {
      seq += 1;
      const now = Date.now();
      const pending = toPending({
        id: newId(),
        chatId: `chat_${lane}`,
        sessionId: `session_${lane}`,
        createdAt: toIso(now),
        expiresAt: toIso(now + 300_000),
      });
      const answered = toAnsweredEvent(pending, seq + batch, toIso(now));
      const settled = transition(pending, answered as InteractionEvent) ?? pending;
      rows.asks.push(toValues(INTERACTIONS, toInteractionRow(pending, seq)));
      rows.requestedEvents.push(toValues(LOG, toLogRow(toRequestedEvent(pending, seq))));
      rows.answers.push(toValues(INTERACTION_CHANGES, toInteractionChange(settled, seq)));
      rows.answeredEvents.push(toValues(LOG, toLogRow(answered)));
    }
    seq += batch;
    return rows;
  };
}

function toValues<Row>(table: Table<Row>, row: Row): Values {
  return (Object.keys(table.columns) as (keyof Row & string)[]).map((column) => row[column] as Values[number]);
}
