import type { Destinations } from '../core/destinations.ts';
import { PersonalDestination } from '../protocol/destination.ts';
import {
  AddDestinationReply,
  DeliveriesReply,
  DestinationsReply,
  PresenceReply,
  PushKeyReply,
  RemoveDestinationReply,
  ReplayReply,
  SecretReply,
  TestReply,
} from '../protocol/destinations-http.ts';
import { Id } from '../protocol/ids.ts';
import { parse, type Schema } from '../protocol/parse.ts';
import { toQuery } from './connect-history.ts';
import { Http, type Request } from './http.ts';
import { parseReply } from './reply.ts';
import { type ConnectOptions, toHttpSettings } from './settings.ts';

/** Gives the destinations of the Beckon at `url`. It connects with each call; there is nothing to close. */
export function connectDestinations(url: string, options: ConnectOptions = {}): Destinations {
  const http = new Http(toHttpSettings(url, options));

  async function call<Output>(
    request: Request,
    schema: Schema<Output>,
    sending: { isRepeatable?: boolean } = {},
  ): Promise<Output> {
    const { error, body } = await http.call(request, sending);
    if (error !== null) throw error;
    return parseReply(http.baseUrl, schema, body);
  }

  // Sent again only if the server certainly did not handle it: there would be two of them.
  const once = { isRepeatable: false };
  return {
    list: async () => (await call({ method: 'GET', path: '/v1/destinations' }, DestinationsReply)).items,
    add: async (draft) => call({ method: 'POST', path: '/v1/destinations', body: draft }, AddDestinationReply, once),
    edit: async (id, change) => call({ method: 'PATCH', path: toPath(id), body: change }, PersonalDestination),
    remove: async (id) => (await call({ method: 'DELETE', path: toPath(id) }, RemoveDestinationReply)).removed,
    test: async (id) => call({ method: 'POST', path: toPath(id, '/test'), body: {} }, TestReply, once),
    prove: async (id, code) =>
      call({ method: 'POST', path: toPath(id, '/prove'), body: { code } }, PersonalDestination),
    rotateSecret: async (id) => call({ method: 'POST', path: toPath(id, '/secret'), body: {} }, SecretReply, once),
    deliveries: async (id, page = {}) => {
      const path = `${toPath(id, '/deliveries')}${toQuery(page)}`;
      return (await call({ method: 'GET', path }, DeliveriesReply)).items;
    },
    replay: async (id, target) =>
      (await call({ method: 'POST', path: toPath(id, '/replay'), body: target }, ReplayReply)).count,
    pushKey: async () => (await call({ method: 'GET', path: '/v1/push-key' }, PushKeyReply)).publicKey,
    see: async (inSight) => {
      await call({ method: 'PUT', path: '/v1/presence', body: { inSight } }, PresenceReply);
    },
  };
}

function toPath(id: string, verb = ''): string {
  return `/v1/destinations/${parse(Id, id, { what: 'id' })}${verb}`;
}
