import { KINDS } from '../protocol/interaction.ts';
import type { ListFilter } from '../protocol/list.ts';
import type { SqlValue } from './driver.ts';
import { type Asked, type Bind, toTimeConditions } from './facts.ts';

/** The way to the rows: indexed columns with one value, then one that may have several, then the remaining filters. */
interface Route {
  /** Only what is pending, by an index of that alone, which SQLite finds only by these words. */
  isPending?: boolean;
  exact: readonly (readonly [column: string, value: string])[];
  spread?: { column: string; values: readonly string[] };
  beside: readonly (readonly [column: string, value: string | undefined])[];
}

/**
 * The statement for the newest `rows` interactions that pass a filter. Each index ends with the number in the log. A
 * status without a kind takes the newest of each kind, and of those the newest, so few indexes serve all filters.
 */
export function toListQuery(
  filter: ListFilter,
  { asked, rows }: { asked: Asked | null; rows: number },
): { sql: string; values: SqlValue[] } {
  const values: SqlValue[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const { isPending = false, exact, spread, beside } = chooseRoute(filter);
  const conditions = [
    ...(isPending ? [`status = 'pending'`] : []),
    ...exact.map(([column, value]) => `${column} = ${bind(value)}`),
    // Hidden from the planner, which might choose a filter that matches a million rows.
    ...beside.flatMap(([column, value]) => (value === undefined ? [] : [`coalesce(${column}, '') = ${bind(value)}`])),
    ...toTimeConditions(asked, { key: 'seq', column: 'created_at' }, bind),
    ...(filter.after === undefined ? [] : [`seq < ${bind(Number(filter.after))}`]),
  ];
  const order = `order by seq desc limit ${bind(rows)}`;
  const select = (columns: string, more: readonly string[]): string => {
    const all = [...conditions, ...more];
    return `select ${columns} from interactions ${all.length === 0 ? '' : `where ${all.join(' and ')}`} ${order}`;
  };
  const branches = spread?.values.map((value) => [`${spread.column} = ${bind(value)}`]) ?? [[]];
  if (branches.length === 1) return { sql: select('*', branches[0] ?? []), values };
  const parts = branches.map((branch, index) => `select seq from (${select('seq', branch)}) as part_${index}`);
  return { sql: `select * from interactions where seq in (${parts.join(' union all ')}) ${order}`, values };
}

/** The narrowest index: by group, by session, by chat, by status. Without any of them, the table itself. */
function chooseRoute({ groupId, sessionId, chatId, kind, status }: ListFilter): Route {
  if (groupId !== undefined) {
    const beside = [
      ['session_id', sessionId] as const,
      ['chat_id', chatId] as const,
      ['kind', kind] as const,
      ['status', status] as const,
    ];
    return { exact: [['group_id', groupId]], beside };
  }
  const isPending = status === 'pending';
  const ended = ['status', isPending ? undefined : status] as const;
  if (sessionId !== undefined) {
    const beside = [['chat_id', chatId] as const, ['kind', kind] as const, ended];
    return { isPending, exact: [['session_id', sessionId]], beside };
  }
  if (chatId !== undefined) return { isPending, exact: [['chat_id', chatId]], beside: [['kind', kind], ended] };
  if (status === undefined) return { exact: [], beside: [['kind', kind]] };
  const kinds = { column: 'kind', values: kind === undefined ? KINDS : [kind] };
  return { exact: [['status', status]], spread: kinds, beside: [] };
}
