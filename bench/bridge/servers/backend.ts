// `backend.ts DELAY_MS`: a backend that accepts every event, after a while where it is slow.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { reportReady } from '../../http/servers/report.ts';

const delayMs = Number(process.argv[2] ?? 0);
const REPLY = JSON.stringify({ success: true });
const HEADERS = { 'content-type': 'application/json', 'content-length': REPLY.length };

const server = createServer((request, response) => {
  const reply = (): void => void response.writeHead(200, HEADERS).end(REPLY);
  request.resume();
  request.on('end', () => (delayMs === 0 ? reply() : setTimeout(reply, delayMs)));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
reportReady({ url: `http://127.0.0.1:${port}` }, () => server.closeAllConnections());
