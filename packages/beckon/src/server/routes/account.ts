import '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { type Caller, checkAnswerOnly, type DeviceCaller, mayDo } from '../../core/access.ts';
import type { DeviceRecord } from '../../core/stored-logins.ts';
import { DEVICE_SECONDS, type Device, DevicesReply, LoginLink, Me } from '../../protocol/account.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { IdParams, LoginBody, LoginLinkBody } from '../../protocol/http.ts';
import { LogOutReply, RevokeReply } from '../../protocol/replies.ts';
import { callerOf, checkComesFromPage, deviceOf, toCookieName } from '../access.ts';
import type { RouteContext } from '../app.ts';
import { createAttempts, refuseHasty } from '../attempts.ts';
import { toBaseUrl, toElsewhereUrl } from '../came-by.ts';
import { toDeviceLabel } from '../device-label.ts';
import { PROBLEMS } from '../openapi.ts';
import { Nothing } from '../shapes.ts';

/** Links for oneself that a person can make within the life of one. */
const MOST_OWN_LINKS = 30;
const OWN_LINKS_SECONDS = 600;

/** Logging in and out, and the logged-in devices. The scope has the cookie plugin. */
export function addAccountRoutes(scope: FastifyInstance, context: RouteContext): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const { logins, metrics, slowDown } = context;
  const ownLinks = createAttempts({ most: MOST_OWN_LINKS, seconds: OWN_LINKS_SECONDS });

  app.route({
    method: 'GET',
    url: '/v1/me',
    config: { action: 'describe' },
    schema: { operationId: 'getMe', summary: 'Who the caller is', response: { 200: Me, ...PROBLEMS } },
    handler: async (request) => toMe(callerOf(request)),
  });

  app.route({
    method: 'POST',
    url: '/v1/login',
    config: { action: 'open' },
    schema: {
      operationId: 'logIn',
      summary: 'Log a browser in with the code of a login link; sets a cookie',
      security: [],
      body: LoginBody,
      response: { 200: Me, ...PROBLEMS },
    },
    handler: async (request, reply) => {
      // A page of another site must not log the browser in as somebody else.
      if (request.headers['sec-fetch-site'] !== undefined) checkComesFromPage(request);
      const found = await logins.logIn(request.body.code, toDeviceLabel(request.headers['user-agent']));
      if (found === null) {
        metrics.countRefusedToken();
        await slowDown.afterFailure(request.ip);
        throw new BeckonError(
          'unauthorized',
          'This login link is not valid: each works once, within 10 minutes. Make a new one with: beckon open',
        );
      }
      setCookie(request, reply, found.cookie, DEVICE_SECONDS);
      return toMe(found.caller);
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/logout',
    config: { action: 'log in' },
    schema: {
      operationId: 'logOut',
      summary: 'Log this browser out',
      body: Nothing,
      response: { 200: LogOutReply, ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const device = deviceOf(request);
      if (device === undefined) return { loggedOut: false };
      setCookie(request, reply, '', 0);
      return { loggedOut: await logins.revoke(device) };
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/devices',
    config: { action: 'log in' },
    schema: {
      operationId: 'listDevices',
      summary: 'The browsers logged in as the caller; for an admin, all of them',
      response: { 200: DevicesReply, ...PROBLEMS },
    },
    handler: async (request) => {
      const caller = callerOf(request);
      const devices = (await logins.list()).filter((device) => maySeeDevice(caller, device));
      return { items: devices.map((device) => toDevice(device, deviceOf(request))) };
    },
  });

  app.route({
    method: 'DELETE',
    url: '/v1/devices/:id',
    config: { action: 'log in' },
    schema: {
      operationId: 'revokeDevice',
      summary: 'Log a browser out',
      params: IdParams,
      response: { 200: RevokeReply, ...PROBLEMS },
    },
    handler: async (request) => {
      const caller = callerOf(request);
      const device = (await logins.list()).find(({ id }) => id === request.params.id);
      // What the caller may not see looks as if it did not exist.
      if (device === undefined || !maySeeDevice(caller, device)) return { revoked: false };
      return { revoked: await logins.revoke(device.id) };
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/me/login-link',
    config: { action: 'log in' },
    schema: {
      operationId: 'createOwnLoginLink',
      summary: 'Make a link that logs one more browser in as this one, once, within 10 minutes',
      body: Nothing,
      response: { 201: LoginLink, ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request);
      // A token must not leave logins behind that outlive it.
      if (!('device' in caller)) {
        throw new BeckonError(
          'forbidden',
          'Only a logged-in browser adds another one in this way. With the token of an admin, use: beckon open --qr',
        );
      }
      refuseHasty(reply, ownLinks.take(caller.name), 'Too many links were made.');
      const { code, expiresAt } = await logins.createOwnCode(caller);
      reply.code(201).header('cache-control', 'no-store');
      return { url: `${toElsewhereUrl(context.wayIn, request)}/login#${code}`, expiresAt };
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/login-links',
    config: { action: 'administer' },
    schema: {
      operationId: 'createLoginLink',
      summary: 'Make a link that logs one browser in, once, within 10 minutes',
      body: LoginLinkBody,
      response: { 201: LoginLink, ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const { who, chatId } = request.body;
      const role = request.body.role ?? (who === undefined ? caller.role : 'person');
      const isForOthers = who !== undefined && who !== caller.name;
      const { answerOnly = isForOthers && role === 'person' } = request.body;
      checkAnswerOnly(role, answerOnly);
      const { code, expiresAt } = await logins.createCode({
        name: who ?? caller.name,
        role,
        ...(chatId !== undefined && { chatId }),
        ...(answerOnly && { answerOnly }),
      });
      // The code is in the fragment, which browsers do not send, so no server or proxy logs it.
      reply.code(201).header('cache-control', 'no-store');
      return { url: `${toBaseUrl(context.wayIn, request)}/login#${code}`, expiresAt };
    },
  });
}

/** Whether the caller may see a device: its own, or every device for an admin without a chat. */
function maySeeDevice(caller: Caller, device: DeviceRecord): boolean {
  return mayDo(caller, 'administer') || (device.name === caller.name && device.chatId === caller.chatId);
}

// The origin says whether the browser uses TLS, even if a proxy in front of Beckon terminates it and does not say so.
function setCookie({ headers, cameBy }: FastifyRequest, reply: FastifyReply, value: string, maxAge: number): void {
  const secure = cameBy.scheme === 'https' || headers.origin?.toLowerCase().startsWith('https:') === true;
  const options = { path: cameBy.prefix || '/', httpOnly: true, sameSite: 'strict', secure, maxAge } as const;
  reply.setCookie(toCookieName(cameBy, secure), value, options).header('cache-control', 'no-store');
}

function toMe(caller: Caller | DeviceCaller): Me {
  const { name, role, chatId, answerOnly } = caller;
  return {
    who: name,
    role,
    ...(chatId !== undefined && { chatId }),
    ...(answerOnly === true && { answerOnly }),
    ...('device' in caller && { device: caller.device }),
  };
}

function toDevice(record: DeviceRecord, current: string | undefined): Device {
  const { id, name, role, chatId, answerOnly, label, createdAt, lastSeenAt } = record;
  return {
    id,
    who: name,
    role,
    ...(chatId !== undefined && { chatId }),
    ...(answerOnly === true && { answerOnly }),
    label,
    createdAt,
    lastSeenAt,
    isCurrent: id === current,
  };
}
