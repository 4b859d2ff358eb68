import * as z from 'zod/mini';
import { BeckonError } from '../../protocol/errors.ts';

/** The server inside opencode, which needs no port. */
export interface OpencodeClient {
  /** What the server has at a path. Rejects if it has nothing there. */
  get(url: string, path: Record<string, string>, query?: Record<string, number>): Promise<unknown>;
  /** The HTTP status of a reply to it. */
  post(url: string, path: Record<string, string>, body: object): Promise<number>;
}

type Call = (options: object) => Promise<unknown>;

const isFunction = z.custom<Call>((value) => typeof value === 'function');
const Raw = z.object({ get: isFunction, post: isFunction });
/** The client of opencode's SDK has no methods for these replies, but what sends all of its requests can send them. */
const Given = z.union([z.object({ _client: Raw }), z.object({ client: Raw })]);
const Reply = z.object({ data: z.optional(z.unknown()), response: z.optional(z.object({ status: z.number() })) });

/** Reads the client that opencode gives a plugin. Throws `invalid_input` if it is another than we know. */
export function toOpencodeClient(given: unknown): OpencodeClient {
  const read = z.safeParse(Given, given);
  if (!read.success)
    throw new BeckonError('invalid_input', 'This opencode gives plugins a client that Beckon does not know.');
  const raw = '_client' in read.data ? read.data._client : read.data.client;
  return {
    get: async (url, path, query) => z.parse(Reply, await raw.get({ url, path, ...(query && { query }) })).data,
    post: async (url, path, body) => {
      const headers = { 'content-type': 'application/json' };
      return z.parse(Reply, await raw.post({ url, path, body, headers })).response?.status ?? 0;
    },
  };
}
