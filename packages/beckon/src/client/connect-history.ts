import type { History } from '../core/history.ts';
import {
  ConversationReply,
  HistoryCounts,
  LogReply,
  SessionsReply,
  SnoozeReply,
  SnoozesReply,
  Statistics,
  TitleReply,
  TitlesReply,
  UnsnoozeReply,
} from '../protocol/history.ts';
import { Id } from '../protocol/ids.ts';
import { parse, type Schema } from '../protocol/parse.ts';
import { Http, type Request } from './http.ts';
import { parseReply } from './reply.ts';
import { type ConnectOptions, toHttpSettings } from './settings.ts';

/** Gives the history of the Beckon at `url`. It connects with each call; there is nothing to close. */
export function connectHistory(url: string, options: ConnectOptions = {}): History {
  const http = new Http(toHttpSettings(url, options));

  async function call<Output>(request: Request, schema: Schema<Output>): Promise<Output> {
    const { error, body } = await http.call(request);
    if (error !== null) throw error;
    return parseReply(http.baseUrl, schema, body);
  }

  function get<Output>(path: string, query: object, schema: Schema<Output>): Promise<Output> {
    return call({ method: 'GET', path: `${path}${toQuery(query)}` }, schema);
  }

  return {
    interactionLog: async (id, page = {}) => get(`/v1/interactions/${parseId(id)}/log`, page, LogReply),
    sessionLog: async (id, page = {}) => get(`/v1/sessions/${parseId(id)}/log`, page, LogReply),
    conversation: async (id, page = {}) => get(`/v1/sessions/${parseId(id)}/conversation`, page, ConversationReply),
    sessions: async (page = {}) => {
      const { items, next, incomplete } = await get('/v1/sessions', page, SessionsReply);
      return { items, ...(next !== undefined && { next }), ...(incomplete && { incomplete }) };
    },
    counts: async (filter = {}) => {
      const { incomplete, ...counts } = await get('/v1/history/counts', filter, HistoryCounts);
      return { ...counts, ...(incomplete && { incomplete }) };
    },
    titles: async () => (await get('/v1/sessions/titles', {}, TitlesReply)).titles,
    rename: async (id, title) => {
      await call({ method: 'PUT', path: `/v1/sessions/${parseId(id)}`, body: { title } }, TitleReply);
    },
    snoozes: async () => (await get('/v1/snoozes', {}, SnoozesReply)).items,
    snooze: async (id, until) => {
      const path = `/v1/interactions/${parseId(id)}/snooze`;
      return (await call({ method: 'PUT', path, body: { until } }, SnoozeReply)).snooze;
    },
    unsnooze: async (id) => {
      const path = `/v1/interactions/${parseId(id)}/snooze`;
      return (await call({ method: 'DELETE', path }, UnsnoozeReply)).removed;
    },
    statistics: async (span = {}) => get('/v1/statistics', span, Statistics),
  };
}

/** The fields that are set, as the query of a path. */
export function toQuery(fields: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query.toString()}`;
}

function parseId(id: string): string {
  return parse(Id, id, { what: 'id' });
}
