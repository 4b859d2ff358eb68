import type { FastifyInstance } from 'fastify';
import { toUrlHost } from '../machine/address.ts';
import { BeckonError } from '../protocol/errors.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '::1'];

/**
 * Rejects requests that a web page could have tricked a browser into: a `Host` that is not this machine (DNS
 * rebinding), or an `Origin` that is not this server (a cross-site request).
 */
export function addHostCheck(app: FastifyInstance, { hosts }: { hosts: readonly string[] }): void {
  const known = new Set([...LOOPBACK, ...hosts].map((host) => toUrlHost(host).toLowerCase()));
  app.addHook('onRequest', ({ headers: { host = '', origin }, routeOptions }, _reply, done) => {
    if (!known.has(toHostName(host))) {
      done(
        new BeckonError(
          'host_refused',
          `This Beckon does not answer for the host ${JSON.stringify(host.slice(0, 100))}. ` +
            'Use the address that it printed when it started, or add the name with --allow-host.',
        ),
      );
    } else if (origin !== undefined && !isSameHost(origin, host) && routeOptions.config.isCrossOrigin !== true) {
      done(new BeckonError('origin_refused', 'Requests from pages of other sites are refused.'));
    } else {
      done();
    }
  });
}

function toHostName(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '');
}

function isSameHost(origin: string, host: string): boolean {
  return /^https?:\/\/(.*)$/.exec(origin.toLowerCase())?.[1] === host.toLowerCase();
}
