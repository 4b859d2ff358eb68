import type { OutboxTarget } from '../core/outbox.ts';
import type { OutboxControl } from '../core/outbox-control.ts';
import { OutboxBackendsReply, OutboxCount, OutboxDetail, OutboxPage, PauseReply } from '../protocol/outbox.ts';
import type { Schema } from '../protocol/parse.ts';
import { toQuery } from './connect-history.ts';
import { Http } from './http.ts';
import { parseReply } from './reply.ts';
import { type ConnectOptions, toHttpSettings } from './settings.ts';

/** Gives the outbox of the Beckon at `url`. It connects with each call; there is nothing to close. */
export function connectOutbox(url: string, options: ConnectOptions = {}): OutboxControl {
  const http = new Http(toHttpSettings(url, options));

  async function call<Output>(schema: Schema<Output>, path: string, body?: object): Promise<Output> {
    const request = { path: `/v1/outbox/${path}`, ...(body !== undefined && { body }) };
    const reply = await http.call({ method: body === undefined ? 'GET' : 'POST', ...request });
    if (reply.error !== null) throw reply.error;
    return parseReply(http.baseUrl, schema, reply.body);
  }

  return {
    list: async (filter) => {
      const { items, next } = await call(OutboxPage, `entries${toQuery(filter)}`);
      return { items, ...(next !== undefined && { next }) };
    },
    find: async (id) => {
      const path = `/v1/outbox/entries/${encodeURIComponent(id)}`;
      const { error, body } = await http.call({ method: 'GET', path });
      if (error?.code === 'hook_not_found') return null;
      if (error !== null) throw error;
      return parseReply(http.baseUrl, OutboxDetail, body);
    },
    backends: async () => (await call(OutboxBackendsReply, 'destinations')).items,
    retry: async (target) => (await call(OutboxCount, 'retry', toBody(target))).count,
    drop: async (target) => (await call(OutboxCount, 'drop', toBody(target))).count,
    pause: (input) => call(PauseReply, 'pause', input),
    resume: (input) => call(PauseReply, 'resume', input),
  };
}

function toBody(target: OutboxTarget): object {
  return target === 'dead' ? { dead: true } : target;
}
