import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { toAddressGroup } from '../../machine/address.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { WaitQuery } from '../../protocol/http.ts';
import {
  MACHINE_LOGIN_SECONDS,
  MachineLoginBody,
  MachineLoginStarted,
  MachineLoginStatus,
} from '../../protocol/machine-login.ts';
import { RevokeReply } from '../../protocol/replies.ts';
import { toBearer } from '../access.ts';
import type { RouteContext } from '../app.ts';
import { createAttempts, refuseHasty } from '../attempts.ts';
import { toBaseUrl } from '../came-by.ts';
import { hold } from '../hold.ts';
import { PROBLEMS } from '../openapi.ts';

/** Nobody is known yet who starts a login, so little is read. */
const MOST_BODY_BYTES = 8192;
/** Logins that one address may start within the life of a code. */
const MOST_STARTS = 30;

/**
 * What a machine does to come in and to leave. It has no valid token yet, so these routes are open: the secret that it
 * made shows whose login it is.
 */
export function addMachineEntryRoutes(scope: FastifyInstance, context: RouteContext): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const { machines, metrics, slowDown, wayIn } = context;
  const starts = createAttempts({ most: MOST_STARTS, seconds: MACHINE_LOGIN_SECONDS });

  app.route({
    method: 'POST',
    url: '/v1/machine-logins',
    config: { action: 'open' },
    bodyLimit: MOST_BODY_BYTES,
    schema: {
      operationId: 'startMachineLogin',
      summary: 'Ask that a person lets this machine in. It keeps its secret, and sends the hash',
      security: [],
      body: MachineLoginBody,
      response: { 201: MachineLoginStarted, ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const addressGroup = toAddressGroup(request.ip);
      refuseHasty(reply, starts.take(addressGroup), 'Too many logins were started from this address.');
      const started = await machines.start(request.body, { address: request.ip, addressGroup });
      reply.code(201).header('cache-control', 'no-store');
      // In the fragment, which browsers do not send, the code is in no log of a proxy.
      return { ...started, verifyUrl: `${toBaseUrl(wayIn, request)}/connect#${started.userCode}` };
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/machine-logins/status',
    config: { action: 'open' },
    schema: {
      operationId: 'getMachineLoginStatus',
      summary: 'What became of the login of this machine, by the token that it made; waits for a decision',
      security: [{ token: [] }],
      querystring: WaitQuery,
      response: { 200: MachineLoginStatus, ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const token = toBearer(request.headers.authorization) ?? '';
      const status = await machines.read(token);
      if (status === null) return refuseToken(request);
      const { wait = 0 } = request.query;
      reply.header('cache-control', 'no-store');
      if (status.status !== 'pending' || wait === 0) return status;
      const later = await hold(context, request, reply, (signal) => machines.wait(token, { ms: wait * 1000, signal }));
      // Withdrawn meanwhile, or nobody is there to read it.
      return later ?? refuseToken(request);
    },
  });

  app.route({
    method: 'DELETE',
    url: '/v1/machines/self',
    config: { action: 'open' },
    schema: {
      operationId: 'revokeOwnMachine',
      summary: 'Withdraw the login of this machine, or revoke the token that came of it',
      security: [{ token: [] }],
      response: { 200: RevokeReply, ...PROBLEMS },
    },
    handler: async (request) => {
      const token = toBearer(request.headers.authorization) ?? '';
      if ((await machines.read(token)) === null) return refuseToken(request);
      return { revoked: await machines.leave(token) };
    },
  });

  async function refuseToken(request: FastifyRequest): Promise<never> {
    metrics.countRefusedToken();
    await slowDown.afterFailure(request.ip);
    throw new BeckonError(
      'unauthorized',
      'No login of a machine has this token: it was withdrawn or revoked, or is over. Start again with: beckon login URL',
    );
  }
}
