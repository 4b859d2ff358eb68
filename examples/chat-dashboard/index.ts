// A chat in the browser with an agent that shows a dashboard and continues with what the person clicks. See README.md.
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { type Beckon, connectBeckon } from 'beckon';
import { buildPage } from './build-page.ts';
import { Conversation } from './conversation.ts';

const port = Number(process.env['PORT'] ?? 3000);
// The port for clicks without a daemon; 0 is any free port.
const callbackPort = Number(process.env['BECKON_EXAMPLE_PORT'] ?? 0);
const daemon = process.env['BECKON_URL'];
const origin = `http://127.0.0.1:${port}`;
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' };

// A daemon keeps clicks on disk, even those that come while this program is not running.
const token = process.env['BECKON_TOKEN'] ?? '';
const beckon: Beckon | undefined = daemon === undefined ? undefined : connectBeckon(daemon, { token });
const files = await buildPage();
const conversations = new Map<string, Conversation>();

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', origin);
  const id = /^\/chats\/([\w-]{1,64})$/.exec(pathname)?.[1];
  if (id !== undefined) {
    const conversation = conversations.get(id) ?? new Conversation(id, { callbackPort, origin, beckon });
    conversations.set(id, conversation);
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write('retry: 300\n\n');
    request.on(
      'close',
      conversation.listen((event) => response.write(`data: ${JSON.stringify(event)}\n\n`)),
    );
    return;
  }
  const name = pathname === '/' ? 'index.html' : pathname.slice(1);
  const body = files.get(name);
  const type = TYPES[extname(name)] ?? 'application/octet-stream';
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': `${type}; charset=utf-8` }).end(body);
});
server.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EADDRINUSE') throw error;
  console.error(`Port ${port} is taken. Choose another: PORT=3001 node examples/chat-dashboard/index.ts`);
  process.exit(1);
});
server.listen(port, '127.0.0.1', () => console.log(`The chat is at ${origin}`));
