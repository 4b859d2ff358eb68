import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { toAddressGroup } from '../../machine/address.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { IdParams } from '../../protocol/http.ts';
import {
  ApproveMachineBody,
  MACHINE_LOGIN_SECONDS,
  MachineDecisionReply,
  MachineLogin,
  MachineLoginParams,
  MachinesReply,
  RefuseMachineBody,
} from '../../protocol/machine-login.ts';
import { RevokeReply } from '../../protocol/replies.ts';
import { callerOf } from '../access.ts';
import type { RouteContext } from '../app.ts';
import { createAttempts, refuseHasty } from '../attempts.ts';
import { PROBLEMS } from '../openapi.ts';
import { logOf } from '../request-log.ts';

/** Wrong codes within the life of a code. Behind a proxy, many people may have one address. */
const MOST_WRONG = { ofPerson: 10, ofAddress: 100 };

/** What people do with machines: let them in, refuse them, see them, revoke them. */
export function addMachineRoutes(scope: FastifyInstance, context: RouteContext): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const { machines, metrics, slowDown } = context;
  const ofPerson = createAttempts({ most: MOST_WRONG.ofPerson, seconds: MACHINE_LOGIN_SECONDS });
  const ofAddress = createAttempts({ most: MOST_WRONG.ofAddress, seconds: MACHINE_LOGIN_SECONDS });

  app.route({
    method: 'GET',
    url: '/v1/machine-logins/:code',
    config: { action: 'let in' },
    schema: {
      operationId: 'getMachineLogin',
      summary: 'The machine that waits with a code',
      params: MachineLoginParams,
      response: { 200: MachineLogin, ...PROBLEMS },
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const { code } = request.params;
      const found = await tryCode(request, reply, () => machines.find(callerOf(request), code));
      return { ...found, yourAddress: request.ip };
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/machine-logins/:code/approve',
    config: { action: 'let in' },
    schema: {
      operationId: 'approveMachineLogin',
      summary: 'Let in the machine that was shown; its token belongs to the caller',
      params: MachineLoginParams,
      body: ApproveMachineBody,
      response: { 200: MachineDecisionReply, ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const shown = { ...request.body, userCode: request.params.code };
      const decided = await tryCode(request, reply, () => machines.approve(caller, shown));
      logOf(request).info({ machine: shown.name, owner: caller.name }, 'a machine was let in');
      return decided;
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/machine-logins/:code/refuse',
    config: { action: 'let in' },
    schema: {
      operationId: 'refuseMachineLogin',
      summary: 'Refuse the machine that was shown',
      params: MachineLoginParams,
      body: RefuseMachineBody,
      response: { 200: MachineDecisionReply, ...PROBLEMS },
    },
    handler: async (request, reply) => {
      const shown = { ...request.body, userCode: request.params.code };
      return tryCode(request, reply, () => machines.refuse(callerOf(request), shown));
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/machines',
    config: { action: 'log in' },
    schema: {
      operationId: 'listMachines',
      summary: 'The machines of the caller; for an admin, all of them',
      response: { 200: MachinesReply, ...PROBLEMS },
    },
    handler: async (request) => ({ items: await machines.list(callerOf(request)) }),
  });

  app.route({
    method: 'DELETE',
    url: '/v1/machines/:id',
    config: { action: 'log in' },
    schema: {
      operationId: 'revokeMachine',
      summary: 'Revoke a machine',
      params: IdParams,
      response: { 200: RevokeReply, ...PROBLEMS },
    },
    handler: async (request) => {
      const caller = callerOf(request);
      const { id } = request.params;
      const revoked = await machines.revoke(caller, id);
      if (revoked) logOf(request).info({ id, by: caller.name }, 'a machine was revoked');
      return { revoked };
    },
  });

  /** Does what needs the right code. Whoever was wrong too often is refused, even if the code is right. */
  async function tryCode<Result>(
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<Result | null>,
  ): Promise<Result> {
    const person = callerOf(request).name;
    const address = toAddressGroup(request.ip);
    refuseHasty(reply, ofPerson.take(person), 'Too many wrong codes.');
    refuseHasty(reply, ofAddress.take(address), 'Too many wrong codes from this address.');
    let isWrong = false;
    try {
      const result = await work();
      if (result !== null) return result;
      isWrong = true;
    } finally {
      if (!isWrong) {
        ofPerson.giveBack(person);
        ofAddress.giveBack(address);
      }
    }
    metrics.countRefusedToken();
    await slowDown.afterFailure(request.ip);
    throw new BeckonError(
      'machine_login_not_found',
      'No machine waits with this code. A code works once, for 10 minutes. Compare it with the terminal, letter by letter.',
    );
  }
}
