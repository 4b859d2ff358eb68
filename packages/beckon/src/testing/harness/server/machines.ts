import { expect } from 'vitest';
import type { MachineLogin, MachineLoginBody, MachineLoginStarted } from '../../../protocol/machine-login.ts';
import { makeMachineLogin } from '../machine-login.ts';
import type { TestApp, TestReply, TokenName } from './test-app.ts';

/** A login that a machine has started, with the token that it made. */
export interface StartedLogin extends MachineLoginStarted {
  secret: string;
  token: string;
}

/** What machines and people do with a server, without a socket. */
export interface MachineCalls {
  start(changes?: Partial<MachineLoginBody>, remoteAddress?: string): Promise<StartedLogin>;
  find(as: TokenName, code: string): Promise<TestReply>;
  /** Looks, and lets in what was shown. */
  approve(as: TokenName, login: StartedLogin): Promise<TestReply>;
  /** As a machine does: with the token that it made. */
  asMachine(token: string, method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object): Promise<TestReply>;
  status(token: string): Promise<TestReply>;
}

/** The calls for whatever server `find` gives, which may be another one for each test. */
export function createMachineCalls(server: () => TestApp): MachineCalls {
  const find = (as: TokenName, code: string): Promise<TestReply> =>
    server().send(as, 'GET', `/v1/machine-logins/${code}`);
  const asMachine: MachineCalls['asMachine'] = (token, method, url, payload) =>
    server().inject({ method, url, headers: { authorization: `Bearer ${token}` }, ...(payload && { payload }) });
  return {
    find,
    asMachine,
    start: async (changes = {}, remoteAddress = '192.0.2.7') => {
      const { secret, body } = makeMachineLogin(changes);
      const reply = await server().inject({ method: 'POST', url: '/v1/machine-logins', payload: body, remoteAddress });
      expect(reply.status).toBe(201);
      const started = reply.body as MachineLoginStarted;
      return { ...started, secret, token: `bkn_${started.id}_${secret}` };
    },
    approve: async (as, { userCode }) => {
      const { id, name } = (await find(as, userCode)).body as MachineLogin;
      return server().send(as, 'POST', `/v1/machine-logins/${userCode}/approve`, { id, name });
    },
    status: (token) => asMachine(token, 'GET', '/v1/machine-logins/status'),
  };
}
