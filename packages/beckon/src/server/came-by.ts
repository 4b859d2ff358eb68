import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopback } from '../machine/address.ts';
import { createRangeCheck } from '../machine/address-ranges.ts';
import { BeckonError } from '../protocol/errors.ts';
import { isOwnPath } from './own-paths.ts';

/** The address that the sender of a request has in front of it: `scheme://host` and `prefix`. */
export interface CameBy {
  scheme: 'http' | 'https';
  /** As in a `Host` header, in lower case. */
  host: string;
  /** What is in front of Beckon's own paths, such as `/beckon`; empty if nothing is. */
  prefix: string;
  /** The host that a proxy says it was asked for, which has to be allowed as well. Only from a trusted proxy. */
  forwardedHost?: string;
}

/** What is set about the ways to a server. */
export interface WayInOptions {
  /** The address for everybody, without a slash at its end. */
  publicUrl?: string | undefined;
  /** Addresses of proxies whose `X-Forwarded-…` headers count. Default: none. */
  trustedProxies?: readonly string[] | undefined;
  /** The address for other machines, if it is known that they can reach this server. */
  networkUrl?: (() => string | undefined) | undefined;
}

/** Reads how requests came in, whichever proxies were in between. */
export interface WayIn {
  readonly publicUrl: URL | undefined;
  /** The address for other machines, if it is known that they can reach this server. */
  readonly networkUrl: () => string | undefined;
  /** Whether every request is what it seems: there is no public address, and no proxy is trusted. */
  readonly isPlain: boolean;
  isTrusted(address: string | undefined): boolean;
  read(request: IncomingMessage): CameBy;
  /** The path and query without the prefix, whether the proxy took it away or not. */
  toOwnUrl(request: IncomingMessage): string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The address that the sender used. */
    readonly cameBy: CameBy;
  }
}

const PREFIX = /^(?:\/[\w.~-]+)+$/;

/** Everything that a proxy says counts only if its own address is trusted: anybody can send these headers. */
export function createWayIn({
  publicUrl: given,
  trustedProxies = [],
  networkUrl = () => undefined,
}: WayInOptions): WayIn {
  const publicUrl = given === undefined ? undefined : new URL(given);
  const publicPrefix = publicUrl?.pathname.replace(/\/+$/, '') ?? '';
  if (isOwnPath(publicPrefix)) {
    throw new BeckonError(
      'invalid_input',
      `The path ${publicPrefix} of the public URL is one of Beckon's own. Choose another, such as /beckon.`,
    );
  }
  const isTrusted = createRangeCheck(trustedProxies);
  const isPlain = publicUrl === undefined && trustedProxies.length === 0;
  const known = new WeakMap<IncomingMessage, CameBy>();

  function read(request: IncomingMessage): CameBy {
    if (isPlain) return toPlain(request);
    const found = known.get(request);
    if (found !== undefined) return found;
    const { headers, socket, url = '' } = request;
    const isProxy = isTrusted(socket.remoteAddress);
    const said = (name: string): string | undefined => (isProxy ? toLast(headers[name]) : undefined);
    const forwardedHost = said('x-forwarded-host')?.toLowerCase();
    const host = forwardedHost ?? headers.host?.toLowerCase() ?? '';
    const isPublicHost = host === publicUrl?.host;
    const isHttps = isSecure(socket) || (isPublicHost && publicUrl.protocol === 'https:');
    const cameBy: CameBy = {
      scheme: toScheme(said('x-forwarded-proto')) ?? (isHttps ? 'https' : 'http'),
      host,
      prefix: toPrefix(url, said('x-forwarded-prefix'), isPublicHost),
      ...(forwardedHost !== undefined && { forwardedHost }),
    };
    known.set(request, cameBy);
    return cameBy;
  }

  function toPrefix(url: string, forwarded: string | undefined, isPublicHost: boolean): string {
    if (publicPrefix !== '' && startsWith(url, publicPrefix)) return publicPrefix;
    const plain = forwarded?.replace(/\/+$/, '');
    if (plain !== undefined && PREFIX.test(plain)) return plain;
    return isPublicHost ? publicPrefix : '';
  }

  return {
    publicUrl,
    networkUrl,
    isPlain,
    isTrusted,
    read,
    toOwnUrl: (request) => {
      const { url = '/' } = request;
      const { prefix } = read(request);
      if (prefix === '' || !startsWith(url, prefix)) return url;
      const rest = url.slice(prefix.length);
      return rest.startsWith('/') ? rest : `/${rest}`;
    },
  };
}

/** Gives every request its `cameBy`. */
export function addCameBy(app: FastifyInstance, wayIn: WayIn): void {
  app.decorateRequest('cameBy', {
    getter(this: FastifyRequest) {
      return wayIn.read(this.raw);
    },
  });
}

/** The base of links for the sender of a request and for others: the public address, else the one it came by. */
export function toBaseUrl({ publicUrl }: WayIn, { cameBy }: FastifyRequest): string {
  if (publicUrl !== undefined) return `${publicUrl.origin}${publicUrl.pathname.replace(/\/+$/, '')}`;
  return `${cameBy.scheme}://${cameBy.host}${cameBy.prefix}`;
}

/** The base of links for other machines. What came by loopback says nothing about the way from there. */
export function toElsewhereUrl(wayIn: WayIn, request: FastifyRequest): string {
  const url = toBaseUrl(wayIn, request);
  return isLoopback(new URL(url).hostname) ? (wayIn.networkUrl() ?? url) : url;
}

function toPlain({ headers: { host = '' }, socket }: IncomingMessage): CameBy {
  return { scheme: isSecure(socket) ? 'https' : 'http', host: host.toLowerCase(), prefix: '' };
}

function startsWith(url: string, prefix: string): boolean {
  return url.startsWith(prefix) && /^(?:$|[/?])/.test(url.slice(prefix.length, prefix.length + 1));
}

// The last proxy is the one that is trusted; what came before it may be anybody's.
function toLast(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header.at(-1) : header;
  return text?.split(',').at(-1)?.trim() || undefined;
}

function toScheme(text: string | undefined): CameBy['scheme'] | undefined {
  const scheme = text?.toLowerCase();
  return scheme === 'http' || scheme === 'https' ? scheme : undefined;
}

function isSecure(socket: IncomingMessage['socket']): boolean {
  return (socket as TLSSocket).encrypted === true;
}
