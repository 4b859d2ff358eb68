import { statSync } from 'node:fs';
import { join } from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendNotFound } from './problems.ts';

/**
 * The page's content security policy: everything comes from this server, and no agent's text becomes a script or a
 * request.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

/** Paths of the page's views. Other paths also get the page if a browser asks for a document. */
const VIEWS = /^\/(?:$|i\/[^/]+$|login$|history$|sessions$|sessions\/[^/]+$|statistics$|devices$)/;
/** Paths of files; none begins with a dot. */
const FILE = /^(?:\/\w[\w-]*)*\/\w[\w-]*(?:\.[\w-]+)+$/;
/** Paths that belong to the API, even without such a route. */
const API = /^\/(?:v1|api|callback|command-complete|hooks|healthz|readyz|metrics|openapi\.json)(?:\/|$)/;

/**
 * Serves the inbox page wherever the API has no route. The page holds no secrets, so it needs no token, but the host is
 * checked first. A page built while Beckon runs is found.
 */
export async function addPage(app: FastifyInstance, folder: string | undefined): Promise<void> {
  if (folder !== undefined)
    await app.register(files, { root: folder, serve: false, cacheControl: false, index: false, suppressWarning: true });
  const hasFile = (path: string): boolean =>
    folder !== undefined &&
    FILE.test(path) &&
    statSync(join(folder, path), { throwIfNoEntry: false })?.isFile() === true;

  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '/';
    if (request.method !== 'GET' || API.test(path)) return sendNotFound(request, reply);
    const isView = VIEWS.test(path) || (!FILE.test(path) && request.headers.accept?.includes('text/html') === true);
    if (!isView && !hasFile(path)) return sendNotFound(request, reply);
    reply.code(200).headers(HEADERS);
    if (!hasFile('/index.html')) return sayHowToBuild(reply);
    if (isView || path === '/index.html') return reply.header('cache-control', 'no-store').sendFile('index.html');
    // The names of assets change with their content.
    const isHashed = path.startsWith('/assets/');
    reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    return reply.sendFile(path.slice(1));
  });
}

function sayHowToBuild(reply: FastifyReply): FastifyReply {
  return reply
    .type('text/plain; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(
      'Beckon runs, but its page is not built.\n\n' +
        'In a checkout, "npm start" builds it; or build it with: node scripts/setup.mjs --build\n' +
        'Until then, "beckon inbox" shows in a terminal what waits for an answer.\n',
    );
}
