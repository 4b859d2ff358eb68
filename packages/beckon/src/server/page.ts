import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { CameBy } from './came-by.ts';
import { API, VIEWS } from './own-paths.ts';
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

/** Paths of files; none begins with a dot. */
const FILE = /^(?:\/\w[\w-]*)*\/\w[\w-]*(?:\.[\w-]+)+$/;

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
    if (isView || path === '/index.html') {
      reply.header('cache-control', 'no-store').type('text/html; charset=utf-8');
      return reply.send(toIndex(readFileSync(join(folder ?? '', 'index.html'), 'utf8'), request.cameBy));
    }
    // The names of assets change with their content.
    const isHashed = path.startsWith('/assets/');
    reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    return reply.sendFile(path.slice(1));
  });
}

/**
 * The page for the address that the browser uses. It is built with relative addresses, and views are at paths of any
 * depth, so its own files get the prefix here. Everything else in the page follows from them.
 */
function toIndex(html: string, { prefix }: CameBy): string {
  return html.replaceAll('="./', `="${prefix}/`);
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
