import { Http } from '../client/http.ts';
import { parseReply } from '../client/reply.ts';
import { chooseDestination, toDestination } from '../core/destination.ts';
import { type OutboxControl, type OutboxFilter, type OutboxTarget, toOutboxDetail } from '../core/outbox.ts';
import { type Config, loadConfig } from '../daemon/config.ts';
import { findDaemon, toStatePath } from '../daemon/daemon-state.ts';
import { withStore } from '../daemon/local-store.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Page } from '../protocol/list.ts';
import {
  type Destination,
  DestinationsReply,
  OutboxCount,
  OutboxDetail,
  type OutboxEntry,
  OutboxPage,
  PauseReply,
} from '../protocol/outbox.ts';
import type { Schema } from '../protocol/parse.ts';
import { type ClientOptions, findToken, findUrl } from './client.ts';

/** What `beckon outbox` does, on a daemon or on the store itself. A backend that is not named is the one that is configured. */
export interface OutboxTool {
  list(filter: OutboxFilter): Promise<Page<OutboxEntry>>;
  find(id: string): Promise<OutboxDetail | null>;
  destinations(): Promise<Destination[]>;
  retry(target: OutboxTarget): Promise<number>;
  drop(target: OutboxTarget): Promise<number>;
  pause(input: { destination?: string | undefined; reason?: string | undefined }): Promise<PauseReply>;
  resume(input: { destination?: string | undefined }): Promise<PauseReply>;
}

const RETRY_MS = 2000;

/** Works on the Beckon that runs, or on its store where none does, or where one is named. */
export async function withOutbox<Result>(
  options: ClientOptions & { store?: string },
  work: (tool: OutboxTool) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig({ flags: { host: options.host, port: options.port, store: options.store } });
  const isNamed = config.host.from !== 'default' || config.port.from !== 'default';
  const found = isNamed ? null : await findDaemon(toStatePath(config.home.value));
  if (options.store !== undefined || (!isNamed && found?.liveness !== 'alive')) {
    return withStore(options, (store) => work(createLocalTool(store.outbox, config)));
  }
  const url = await findUrl(config);
  const token = await findToken(config, url);
  const http = new Http({ baseUrl: url, token, retryMs: RETRY_MS, beforeAttempt: () => Promise.resolve() });
  try {
    return await work(createRemoteTool(http));
  } finally {
    await http.close(undefined);
  }
}

function createLocalTool(outbox: OutboxControl, { apiUrl }: Config): OutboxTool {
  const configured = apiUrl.value === undefined ? undefined : toDestination(apiUrl.value);
  const at = (): string => new Date().toISOString();
  return {
    list: (filter) => outbox.list(filter),
    find: async (id) => {
      const entry = await outbox.find(id);
      return entry === null ? null : toOutboxDetail(entry);
    },
    destinations: () => outbox.destinations(),
    retry: (target) => outbox.retry({ target, ...(configured !== undefined && { destination: configured }) }),
    drop: (target) => outbox.drop({ target, at: at() }),
    pause: async ({ destination: given, reason = 'by hand' }) => {
      const destination = chooseDestination(given, configured);
      return { destination, changed: await outbox.pause({ destination, reason, at: at() }) };
    },
    resume: async ({ destination: given }) => {
      const destination = chooseDestination(given, configured);
      return { destination, changed: await outbox.resume(destination) };
    },
  };
}

function createRemoteTool(http: Http): OutboxTool {
  const call = async <Output>(schema: Schema<Output>, path: string, body?: object): Promise<Output> => {
    const reply = await http.call({
      method: body === undefined ? 'GET' : 'POST',
      path: `/v1/outbox/${path}`,
      ...(body !== undefined && { body }),
    });
    if (reply.error !== null) throw reply.error;
    return parseReply(http.baseUrl, schema, reply.body);
  };
  const toBody = (target: OutboxTarget): object => (target === 'dead' ? { dead: true } : target);
  return {
    list: async (filter) => {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(filter)) if (value !== undefined) query.set(name, String(value));
      const { items, next } = await call(OutboxPage, `entries?${query.toString()}`);
      return { items, ...(next !== undefined && { next }) };
    },
    find: async (id) => {
      try {
        return await call(OutboxDetail, `entries/${encodeURIComponent(id)}`);
      } catch (error) {
        if (error instanceof BeckonError && error.code === 'hook_not_found') return null;
        throw error;
      }
    },
    destinations: async () => (await call(DestinationsReply, 'destinations')).items,
    retry: async (target) => (await call(OutboxCount, 'retry', toBody(target))).count,
    drop: async (target) => (await call(OutboxCount, 'drop', toBody(target))).count,
    pause: (input) => call(PauseReply, 'pause', input),
    resume: (input) => call(PauseReply, 'resume', input),
  };
}
