import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Decision } from '../protocol/decision.ts';
import type { HistoryCounts } from '../protocol/history.ts';
import type { ListFilter } from '../protocol/list.ts';
import type { Engine, Reader, SqlValue } from './driver.ts';
import {
  type Bind,
  findAsked,
  findRarest,
  toConditions,
  toFacts,
  toPlaceConditions,
  toRareCondition,
  toTimeConditions,
} from './facts.ts';
import { findSpan } from './span.ts';
import { toWordQuery, WORD_SEARCH } from './word-search.ts';

/** How many people and projects are named. */
const MOST_NAMED = 50;
/** How many numbers of the log one query covers on SQLite, whose queries block the process. */
const SLICE = 10_000;
/** The same for words: each query collects all places of a word first. */
const WORDS_SLICE = 100_000;

interface CountRow {
  decision: Decision;
  person: string | null;
  project: string | null;
  count: number;
}

/** Counts what passes a filter by decision, person and project. */
export async function countFacts(
  { engine, reader }: { engine: Engine; reader: Reader },
  filter: ListFilter,
): Promise<HistoryCounts> {
  const words = filter.text === undefined ? undefined : toWordQuery(engine, filter);
  if (words === null) return toCounts([]);
  const asked = await findAsked(reader, filter);
  const facts = toFacts(filter);
  const rarest = await findRarest(reader, facts);
  const isSmall = rarest?.isRare === true || filter.sessionId !== undefined || filter.groupId !== undefined;

  function readPart(from?: number, to?: number): Promise<CountRow[]> {
    const values: SqlValue[] = [];
    const bind: Bind = (value) => `$${values.push(value)}`;
    const key = words === undefined ? 'interaction_facts.interaction_seq' : WORD_SEARCH[engine].factsKey;
    const leading = words === undefined && from === undefined ? rarest?.fact : undefined;
    const conditions = [
      ...(words === undefined ? [] : [WORD_SEARCH[engine].matches(bind(words)), ...toRareCondition(rarest, key, bind)]),
      ...toPlaceConditions(filter, bind),
      ...toConditions(facts, leading, bind),
      ...toTimeConditions(asked, { key, column: 'interaction_facts.created_at' }, bind),
      ...(from === undefined || to === undefined ? [] : [`${key} >= ${bind(from)}`, `${key} < ${bind(to)}`]),
    ];
    const source = words === undefined ? 'interaction_facts' : WORD_SEARCH[engine].fromFacts;
    return reader.all(
      `select decision, person, project, count(*) as count from ${source}
       ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`} group by decision, person, project`,
      values,
    );
  }

  if (engine === 'postgres' || isSmall) return toCounts(await readPart());
  const { first, end } = asked?.span ?? (await findSpan(reader, {}));
  const rows: CountRow[] = [];
  const slice = words === undefined ? SLICE : WORDS_SLICE;
  for (let from = first; from < end; from += slice) {
    rows.push(...(await readPart(from, Math.min(from + slice, end))));
    await nextTurn();
  }
  return toCounts(rows);
}

function toCounts(rows: readonly CountRow[]): HistoryCounts {
  const totals = {
    decision: new Map<Decision, number>(),
    person: new Map<string, number>(),
    project: new Map<string, number>(),
  };
  let total = 0;
  const add = <Name>(counts: Map<Name, number>, name: Name | null, count: number): void => {
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + count);
  };
  for (const { decision, person, project, count } of rows) {
    total += count;
    add(totals.decision, decision, count);
    add(totals.person, person, count);
    add(totals.project, project, count);
  }
  return {
    total,
    byDecision: toLargest(totals.decision).map(([decision, count]) => ({ decision, count })),
    byPerson: toLargest(totals.person).map(([person, count]) => ({ person, count })),
    byProject: toLargest(totals.project).map(([project, count]) => ({ project, count })),
  };
}

/** The largest counts first; equal ones in the order of their names. */
function toLargest<Name extends string>(counts: ReadonlyMap<Name, number>): [Name, number][] {
  return [...counts]
    .toSorted(([one, oneCount], [other, otherCount]) => otherCount - oneCount || (one < other ? -1 : 1))
    .slice(0, MOST_NAMED);
}
