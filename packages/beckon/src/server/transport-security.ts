import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { isLoopback } from '../machine/address.ts';
import type { WayIn } from './came-by.ts';

const YEAR_SECONDS = 31_536_000;

/**
 * Tells browsers to use TLS alone for the public address. Browsers apply this to every port and path of a host, so it
 * is said only for a host that is Beckon's own: one with a name, on the usual port, without a path.
 */
export function addTransportSecurity(app: FastifyInstance, { publicUrl }: WayIn): void {
  if (publicUrl?.protocol !== 'https:' || publicUrl.port !== '' || publicUrl.pathname !== '/') return;
  const { hostname, host } = publicUrl;
  if (isLoopback(hostname) || isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) return;
  app.addHook('onRequest', ({ cameBy }, reply, done) => {
    if (cameBy.scheme === 'https' && cameBy.host === host) {
      reply.header('strict-transport-security', `max-age=${YEAR_SECONDS}`);
    }
    done();
  });
}
