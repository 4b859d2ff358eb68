import type { TimePolicies } from '../core/time-policy.ts';
import type { Schema } from '../protocol/parse.ts';
import { PoliciesReply, RemovePolicyReply, ScopedPolicy } from '../protocol/time-policies-http.ts';
import { toQuery } from './connect-history.ts';
import { Http, type Request } from './http.ts';
import { parseReply } from './reply.ts';
import { type ConnectOptions, toHttpSettings } from './settings.ts';

const PATH = '/v1/time-policies';

/** Gives the time policies of the Beckon at `url`. It connects with each call; there is nothing to close. */
export function connectTimePolicies(url: string, options: ConnectOptions = {}): TimePolicies {
  const http = new Http(toHttpSettings(url, options));

  async function call<Output>(request: Request, schema: Schema<Output>): Promise<Output> {
    const { error, body } = await http.call(request);
    if (error !== null) throw error;
    return parseReply(http.baseUrl, schema, body);
  }

  return {
    list: async () => (await call({ method: 'GET', path: PATH }, PoliciesReply)).items,
    set: async (policy) => call({ method: 'PUT', path: PATH, body: policy }, ScopedPolicy),
    remove: async ({ chatId, project }) =>
      (await call({ method: 'DELETE', path: `${PATH}${toQuery({ chatId, project })}` }, RemovePolicyReply)).removed,
  };
}
