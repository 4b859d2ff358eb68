import type { Decision } from '../protocol/decision.ts';
import type { Status } from '../protocol/interaction.ts';
import type { ListFilter } from '../protocol/list.ts';
import { toColumnText } from './column-text.ts';
import type { Reader, SqlValue } from './driver.ts';
import { findSpan, type Span } from './span.ts';

/** Adds a value to a statement and returns its place, such as `$2`. */
export type Bind = (value: SqlValue) => string;

/** A condition on the facts: a column, and the values that it may have. */
interface Fact {
  column: 'chat_id' | 'kind' | 'decision' | 'person' | 'project';
  values: readonly string[];
}

/** What became of requests with this status. */
const DECISIONS_OF: Readonly<Record<Status, readonly Decision[]>> = {
  pending: ['pending'],
  answered: ['allowed', 'denied', 'accepted', 'sent_back', 'answered'],
  expired: ['expired'],
  cancelled: ['cancelled'],
  superseded: ['ended_elsewhere'],
};
const STATUS_OF: Partial<Record<Decision, Status>> = {
  pending: 'pending',
  expired: 'expired',
  cancelled: 'cancelled',
  ended_elsewhere: 'superseded',
};

/** How many rows are counted to find the rarest fact: few first. Above that, all are as good. */
const COUNTED_ROWS = [500, 20_000];

/** The same filter with a status instead of a decision that means just that: a status needs no facts. */
export function toPlainFilter({ decision, ...filter }: ListFilter): ListFilter {
  const status = decision === undefined ? undefined : STATUS_OF[decision];
  if (decision === undefined) return filter;
  if (status === undefined || (filter.status ?? status) !== status) return { ...filter, decision };
  return { ...filter, status };
}

/** Whether only the facts know which requests pass the filter. */
export function needsFacts({ decision, person, project }: ListFilter): boolean {
  return decision !== undefined || person !== undefined || project !== undefined;
}

/** What a filter says about the facts. */
export function toFacts({ chatId, kind, status, decision, person, project }: ListFilter): Fact[] {
  const facts: [Fact['column'], readonly string[] | undefined][] = [
    ['project', project === undefined ? undefined : [toColumnText(project)]],
    ['person', person === undefined ? undefined : [toColumnText(person)]],
    ['chat_id', chatId === undefined ? undefined : [chatId]],
    ['decision', decision === undefined ? undefined : [decision]],
    ['decision', status === undefined ? undefined : DECISIONS_OF[status]],
    ['kind', kind === undefined ? undefined : [kind]],
  ];
  return facts.flatMap(([column, values]) => (values === undefined ? [] : [{ column, values }]));
}

/** The fact that the fewest rows have. */
export interface Rarest {
  fact: Fact;
  /** Whether so few rows have it that all of them can be read. */
  isRare: boolean;
}

/** Finds the fact that the fewest rows have; `null`: no index helps. */
export async function findRarest(reader: Reader, facts: readonly Fact[]): Promise<Rarest | null> {
  const indexed = facts.filter(isIndexed);
  const [first] = indexed;
  if (first === undefined) return null;
  for (const most of COUNTED_ROWS) {
    let rarest = { fact: first, rows: most };
    for (const fact of indexed) {
      const rows = await countRows(reader, fact, most);
      if (rows < rarest.rows) rarest = { fact, rows };
    }
    if (rarest.rows < most) return { fact: rarest.fact, isRare: true };
  }
  return { fact: first, isRare: false };
}

/** The fact whose index a list follows. A single one needs no counting. */
async function findLeading(reader: Reader, facts: readonly Fact[]): Promise<Fact | undefined> {
  const [first, ...others] = facts.filter(isIndexed);
  return others.length === 0 ? first : (await findRarest(reader, facts))?.fact;
}

function isIndexed({ column, values }: Fact): boolean {
  return column !== 'kind' && values.length === 1;
}

async function countRows(reader: Reader, { column, values }: Fact, most: number): Promise<number> {
  const [counted] = await reader.all<{ counted: number }>(
    `select count(*) as counted from
       (select 1 from interaction_facts where ${column} = $1 limit ${most}) as first_rows`,
    values,
  );
  return counted?.counted ?? 0;
}

/** Narrows a search by words to the requests with a rare fact, before anything else of them is read. */
export function toRareCondition(rarest: Rarest | null, key: string, bind: Bind): string[] {
  const [value] = rarest?.fact.values ?? [];
  if (rarest?.isRare !== true || value === undefined) return [];
  // The sum keeps SQLite from searching the words once for each row.
  return [`${key} + 0 in (select interaction_seq from interaction_facts where ${rarest.fact.column} = ${bind(value)})`];
}

/** The conditions for facts. Only `leading` may use an index: a planner might choose one with a million rows. */
export function toConditions(facts: readonly Fact[], leading: Fact | 'any' | undefined, bind: Bind): string[] {
  return facts.map((fact) => {
    const column = `interaction_facts.${fact.column}`;
    const hidden = leading === 'any' || fact === leading ? column : `coalesce(${column}, '')`;
    const [value, ...others] = fact.values;
    if (value !== undefined && others.length === 0) return `${hidden} = ${bind(value)}`;
    return `${hidden} in (${fact.values.map(bind).join(', ')})`;
  });
}

/** The conditions for the session or the group of a request, which are few rows. */
export function toPlaceConditions({ sessionId, groupId }: ListFilter, bind: Bind): string[] {
  return [['session_id', sessionId] as const, ['group_id', groupId] as const].flatMap(([column, value]) =>
    value === undefined
      ? []
      : [`interaction_facts.interaction_seq in (select seq from interactions where ${column} = ${bind(value)})`],
  );
}

/** When a request was asked, and between which numbers of the log that is. */
export interface Asked {
  sinceMs?: number;
  untilMs?: number;
  span: Span;
}

/** When the filter wants requests to have been asked; `null`: at any time. */
export async function findAsked(reader: Reader, { since, until }: ListFilter): Promise<Asked | null> {
  if (since === undefined && until === undefined) return null;
  const asked = {
    ...(since !== undefined && { sinceMs: Date.parse(since) }),
    ...(until !== undefined && { untilMs: Date.parse(until) }),
  };
  return { ...asked, span: await findSpan(reader, asked) };
}

/** The conditions for the time of asking, on the number `key` and the time in `column`. */
export function toTimeConditions(
  asked: Asked | null,
  { key, column }: { key: string; column: string },
  bind: Bind,
): string[] {
  if (asked === null) return [];
  const { sinceMs, untilMs, span } = asked;
  return [
    ...(sinceMs === undefined ? [] : [`${key} >= ${bind(span.first)}`, `${column} >= ${bind(sinceMs)}`]),
    ...(untilMs === undefined ? [] : [`${key} < ${bind(span.end)}`, `${column} < ${bind(untilMs)}`]),
  ];
}

/** The statement for the newest `rows` interactions that pass a filter which needs the facts. */
export async function toFactsQuery(
  reader: Reader,
  filter: ListFilter,
  { asked, rows }: { asked: Asked | null; rows: number },
): Promise<{ sql: string; values: SqlValue[] }> {
  const values: SqlValue[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const facts = toFacts(filter);
  const places = toPlaceConditions(filter, bind);
  const leading = places.length > 0 ? undefined : await findLeading(reader, facts);
  const key = 'interaction_facts.interaction_seq';
  const conditions = [
    `interactions.seq = ${key}`,
    ...places,
    ...toConditions(facts, leading, bind),
    ...toTimeConditions(asked, { key, column: 'interaction_facts.created_at' }, bind),
    // The facts may be a moment behind.
    ...(filter.status === undefined ? [] : [`coalesce(interactions.status, '') = ${bind(filter.status)}`]),
    ...(filter.after === undefined ? [] : [`${key} < ${bind(Number(filter.after))}`]),
  ];
  // CROSS keeps SQLite from beginning with the interactions.
  const sql = `select interactions.* from interaction_facts cross join interactions
    where ${conditions.join(' and ')} order by ${key} desc limit ${bind(rows)}`;
  return { sql, values };
}
