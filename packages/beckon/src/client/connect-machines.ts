import type { MachineEntry, Machines, ShownMachineLogin } from '../core/machines.ts';
import { BeckonError } from '../protocol/errors.ts';
import { Id } from '../protocol/ids.ts';
import {
  MachineDecisionReply,
  MachineLogin,
  MachineLoginStarted,
  MachineLoginStatus,
  MachinesReply,
  UserCode,
} from '../protocol/machine-login.ts';
import { parse, type Schema } from '../protocol/parse.ts';
import { RevokeReply } from '../protocol/replies.ts';
import { Http, type Request } from './http.ts';
import { poll } from './poll.ts';
import { parseReply } from './reply.ts';
import { type ConnectOptions, toHttpSettings } from './settings.ts';

/** Gives the machines of the Beckon at `url`, for a person. It connects with each call; there is nothing to close. */
export function connectMachines(url: string, options: ConnectOptions = {}): Machines {
  const http = new Http(toHttpSettings(url, options));

  // Sent again after a lost reply, a decision is found as it was made.
  async function decide(how: 'approve' | 'refuse', shown: ShownMachineLogin): Promise<MachineDecisionReply> {
    const { id, userCode, name } = shown;
    const body = how === 'approve' ? { id, name } : { id };
    return call(http, { method: 'POST', path: `${toPath(userCode)}/${how}`, body }, MachineDecisionReply);
  }

  return {
    find: async (code) => {
      try {
        return await call(http, { method: 'GET', path: toPath(code) }, MachineLogin);
      } catch (error) {
        if (error instanceof BeckonError && error.code === 'machine_login_not_found') return null;
        throw error;
      }
    },
    approve: (shown) => decide('approve', shown),
    refuse: (shown) => decide('refuse', shown),
    list: async () => (await call(http, { method: 'GET', path: '/v1/machines' }, MachinesReply)).items,
    revoke: async (id) => {
      const path = `/v1/machines/${parse(Id, id, { what: 'id' })}`;
      return (await call(http, { method: 'DELETE', path }, RevokeReply)).revoked;
    },
  };
}

/**
 * Gives the way into the Beckon at `url`, for a machine. Only `start` works without the token that the machine made;
 * its id comes from `start`.
 */
export function connectMachineEntry(url: string, options: ConnectOptions = {}): MachineEntry {
  const http = new Http(toHttpSettings(url, options));
  return {
    // The server finds the same login by its hash, so it may be sent again.
    start: (body) => call(http, { method: 'POST', path: '/v1/machine-logins', body }, MachineLoginStarted),
    wait: ({ signal, onError }) =>
      poll({
        http,
        path: '/v1/machine-logins/status',
        schema: MachineLoginStatus,
        isOver: ({ status }) => status !== 'pending',
        signal,
        onError,
      }),
    leave: async () => {
      try {
        return (await call(http, { method: 'DELETE', path: '/v1/machines/self' }, RevokeReply)).revoked;
      } catch (error) {
        if (error instanceof BeckonError && error.code === 'unauthorized') return false;
        throw error;
      }
    },
  };
}

async function call<Output>(http: Http, request: Request, schema: Schema<Output>): Promise<Output> {
  const { error, body } = await http.call(request);
  if (error !== null) throw error;
  return parseReply(http.baseUrl, schema, body);
}

function toPath(code: string): string {
  return `/v1/machine-logins/${parse(UserCode, code, { what: 'code' })}`;
}
