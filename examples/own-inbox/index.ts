// Somebody's own app with the requests of one chat in it. See README.md.
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { buildPage } from './build-page.ts';
import { proxy } from './proxy.ts';

const port = Number(process.env['PORT'] ?? 3000);
const daemon = process.env['BECKON_URL'] ?? 'http://127.0.0.1:8228';
// A token for one chat: `beckon token create desk --role person --chat support`.
const session = {
  token: process.env['CHAT_TOKEN'] ?? '',
  chatId: process.env['CHAT_ID'] ?? 'support',
  who: process.env['WHO'] ?? 'ada',
};
const origin = `http://127.0.0.1:${port}`;
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' };
const files = await buildPage();

const server = createServer((request, response) => {
  const { pathname, search } = new URL(request.url ?? '/', origin);
  // Beckon serves no other site's pages, so calls go through this server.
  if (pathname.startsWith('/beckon/')) {
    return proxy(request, response, new URL(`${daemon}${pathname.slice('/beckon'.length)}${search}`));
  }
  // Your app knows who is logged in, and hands out a token for that chat alone.
  if (pathname === '/session') {
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(session));
  }
  const name = pathname === '/' ? 'index.html' : pathname.slice(1);
  const body = files.get(name);
  return response
    .writeHead(body === undefined ? 404 : 200, {
      'content-type': `${TYPES[extname(name)] ?? 'application/octet-stream'}; charset=utf-8`,
      // The cards need nothing inline and nothing from elsewhere.
      'content-security-policy': "default-src 'self'; base-uri 'none'; object-src 'none'",
    })
    .end(body);
});
server.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EADDRINUSE') throw error;
  console.error(`Port ${port} is taken. Choose another: PORT=3001 node examples/own-inbox/index.ts`);
  process.exit(1);
});
server.listen(port, '127.0.0.1', () => console.log(`The desk is at ${origin}`));
