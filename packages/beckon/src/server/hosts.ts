import type { FastifyInstance } from 'fastify';
import { toUrlHost } from '../machine/address.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { CameBy, WayIn } from './came-by.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '::1'];

/**
 * Rejects requests that a web page could have tricked a browser into: a host that is not this server's (DNS rebinding),
 * or an `Origin` that is not this server (a cross-site request). Every host that a request names must be known, the
 * `Host` header and what a trusted proxy forwards.
 */
export function addHostCheck(
  app: FastifyInstance,
  { hosts, wayIn: { publicUrl } }: { hosts: readonly string[]; wayIn: WayIn },
): void {
  const all = [...LOOPBACK, ...hosts, ...(publicUrl === undefined ? [] : [publicUrl.hostname])];
  const known = new Set(all.map((host) => toUrlHost(host).toLowerCase()));
  app.addHook('onRequest', (request, _reply, done) => {
    const { host = '', origin } = request.headers;
    const { cameBy } = request;
    const isKnown = known.has(toHostName(host));
    if (!isKnown || (cameBy.forwardedHost !== undefined && !known.has(toHostName(cameBy.forwardedHost)))) {
      const unknown = isKnown ? cameBy.host : host;
      done(
        new BeckonError(
          'host_refused',
          `This Beckon does not answer for the host ${JSON.stringify(unknown.slice(0, 100))}. ` +
            'Use the address that it printed when it started, or add the name with --allow-host or --public-url.',
        ),
      );
    } else if (
      origin !== undefined &&
      !isSameOrigin(origin, cameBy) &&
      origin.toLowerCase() !== publicUrl?.origin &&
      request.routeOptions.config.isCrossOrigin !== true
    ) {
      done(new BeckonError('origin_refused', 'Requests from pages of other sites are refused.'));
    } else {
      done();
    }
  });
}

function toHostName(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '');
}

// Without word of a trusted proxy, TLS may end in front of this server, so a page of https is the same as one of http.
function isSameOrigin(origin: string, { scheme, host }: CameBy): boolean {
  const [, shown, name] = /^(https?):\/\/(.*)$/.exec(origin.toLowerCase()) ?? [];
  return name === host && (shown === 'https' || scheme === 'http');
}
