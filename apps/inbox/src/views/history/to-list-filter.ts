import { DECISIONS, KINDS, type ListFilter } from 'beckon/protocol';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The valid filters of an address, which anybody can type. Days are those of this browser's time zone. */
export function toListFilter(params: URLSearchParams): ListFilter {
  const decision = DECISIONS.find((name) => name === params.get('decision'));
  const kind = KINDS.find((name) => name === params.get('kind'));
  const since = toMidnight(params.get('from'), 0);
  const until = toMidnight(params.get('to'), 1);
  const text = params.get('text')?.trim().slice(0, 200);
  const person = params.get('person')?.slice(0, 300);
  const project = params.get('project')?.slice(0, 300);
  const chatId = params.get('chat')?.trim();
  const sessionId = params.get('session')?.trim();
  return {
    ...(decision !== undefined && { decision }),
    ...(kind !== undefined && { kind }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(text && { text }),
    ...(person && { person }),
    ...(project && { project }),
    ...(chatId && { chatId }),
    ...(sessionId && { sessionId }),
  };
}

export function hasFilter(filter: ListFilter): boolean {
  return Object.keys(filter).length > 0;
}

/** The same filter without one of its parts, to count what else could be chosen for it. */
export function withoutFilter(filter: ListFilter, name: keyof ListFilter): ListFilter {
  const { [name]: _, ...rest } = filter;
  return rest;
}

function toMidnight(day: string | null, daysLater: number): string | undefined {
  if (day === null || !DAY.test(day)) return undefined;
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const midnight = new Date(year, month - 1, date + daysLater);
  // A month or a day that does not exist would become another.
  return new Date(year, month - 1, date).getDate() === date ? midnight.toISOString() : undefined;
}
