import pg from 'pg';
import { toIso } from '../../packages/beckon/src/core/clock.ts';
import { toInteractionRow, toLogRow } from '../../packages/beckon/src/store/rows.ts';
import { INTERACTIONS, LOG, type Table } from '../../packages/beckon/src/store/tables.ts';
import { ANSWER, ANSWERER, createIds, toAnsweredEvent, toPending, toRequestedEvent } from './workload.ts';

/**
 * The rows of round trips on one connection to a store that Beckon has made: for each an ask and an answer, two
 * transactions of prepared statements, each of them sent at once. Nothing is checked, looked up or woken. Returns the
 * time of each, in milliseconds.
 */
export async function measureRawPostgres(url: string, sliceMs: number): Promise<number[]> {
  const client = new pg.Client({ connectionString: url, pipeline: true, options: '-c search_path=beckon' });
  await client.connect();
  const newId = createIds('01a00000');
  let seq = 0;
  const write = async (...statements: pg.QueryConfig[]): Promise<void> => {
    const { stream } = client.connection;
    stream.cork();
    const replies = ['begin', ...statements, 'commit'].map((statement) => client.query(statement));
    stream.uncork();
    await Promise.all(replies);
  };
  const moveHead = (): pg.QueryConfig => ({ name: 'head', text: 'update log_head set seq = $1', values: [seq] });
  const times: number[] = [];
  try {
    for (const endAt = performance.now() + sliceMs; performance.now() < endAt; ) {
      const startedAt = performance.now();
      const now = toIso(Date.now());
      const pending = toPending({ id: newId(), chatId: 'chat_0', sessionId: 'session_0', createdAt: now });
      const askedSeq = ++seq;
      await write(
        toInsert(INTERACTIONS, toInteractionRow(pending, seq)),
        toInsert(LOG, toLogRow(toRequestedEvent(pending, seq))),
        moveHead(),
      );
      const answered = toAnsweredEvent(pending, ++seq, now);
      await write(
        {
          name: 'settle',
          text: `update interactions set status = 'answered', settled_at = $2, outcome = $3
                 where seq = $1 and status = 'pending'`,
          values: [askedSeq, Date.now(), JSON.stringify({ answer: ANSWER, answeredBy: ANSWERER })],
        },
        toInsert(LOG, toLogRow(answered)),
        moveHead(),
      );
      times.push(performance.now() - startedAt);
    }
    return times;
  } finally {
    await client.end();
  }
}

function toInsert<Row>(table: Table<Row>, row: Row): pg.QueryConfig {
  const columns = Object.keys(table.columns) as (keyof Row & string)[];
  const places = columns.map((_, index) => `$${index + 1}`).join(', ');
  return {
    name: table.name,
    text: `insert into ${table.name} (${columns.join(', ')}) values (${places})`,
    values: columns.map((column) => row[column]),
  };
}
