import type { Account } from '../core/account.ts';
import { DevicesReply, LoginLink, Me } from '../protocol/account.ts';
import { Id } from '../protocol/ids.ts';
import { parse } from '../protocol/parse.ts';
import { LogOutReply, RevokeReply } from '../protocol/replies.ts';
import { Http } from './http.ts';
import { parseReply, type Reply } from './reply.ts';
import { type ConnectOptions, toHttpSettings } from './settings.ts';

/** Gives the account of this browser at the Beckon at `url`. It connects with each call; there is nothing to close. */
export function connectAccount(url: string, options: ConnectOptions = {}): Account {
  const http = new Http(toHttpSettings(url, options));

  function check({ error, body }: Reply): unknown {
    if (error !== null) throw error;
    return body;
  }

  return {
    me: async () => {
      const reply = await http.call({ method: 'GET', path: '/v1/me' });
      return reply.error?.code === 'unauthorized' ? null : parseReply(http.baseUrl, Me, check(reply));
    },
    // Retried only if the server certainly did not handle it, because the code works once.
    logIn: async (code) => {
      const reply = await http.call({ method: 'POST', path: '/v1/login', body: { code } }, { isRepeatable: false });
      return parseReply(http.baseUrl, Me, check(reply));
    },
    logOut: async () => {
      const reply = await http.call({ method: 'POST', path: '/v1/logout', body: {} });
      // A browser that is not logged in is logged out.
      if (reply.error?.code !== 'unauthorized') parseReply(http.baseUrl, LogOutReply, check(reply));
    },
    devices: async () => {
      const reply = await http.call({ method: 'GET', path: '/v1/devices' });
      return parseReply(http.baseUrl, DevicesReply, check(reply)).items;
    },
    revokeDevice: async (id) => {
      const path = `/v1/devices/${parse(Id, id, { what: 'id' })}`;
      const reply = await http.call({ method: 'DELETE', path });
      return parseReply(http.baseUrl, RevokeReply, check(reply)).revoked;
    },
    createLink: async (input = {}) => {
      const reply = await http.call({ method: 'POST', path: '/v1/login-links', body: input });
      return parseReply(http.baseUrl, LoginLink, check(reply));
    },
    createOwnLink: async () => {
      const reply = await http.call({ method: 'POST', path: '/v1/me/login-link', body: {} });
      return parseReply(http.baseUrl, LoginLink, check(reply));
    },
  };
}
