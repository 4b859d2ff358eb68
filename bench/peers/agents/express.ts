// `express.ts [BACKEND]`: a callback server on Express with handlers in a map, as the second of the original designs
// describes it. With a backend, each callback is forwarded there before it counts, as that design does.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveTurns, tellPeople } from './turns.ts';

interface Request {
  params: { interactionId: string };
  body: unknown;
}
interface Response {
  status(code: number): { json(body: object): void };
}
/** As much of Express as this uses. It is not a dependency of Beckon, so it has no types here. */
interface Express {
  (): {
    use(middleware: unknown): void;
    post(path: string, handler: (request: Request, response: Response) => Promise<void>): void;
    listen(port: number, host: string, onListening: () => void): Server;
  };
  json(): unknown;
}

const [, , backend] = process.argv;
const handlers = new Map<string, (body: unknown) => void>();
let count = 0;

const { default: express } = (await import('express')) as { default: Express };
const app = express();
app.use(express.json());
app.post('/command-complete/:interactionId', async (request, response) => {
  const { interactionId } = request.params;
  const handler = handlers.get(interactionId);
  if (handler === undefined) return response.status(404).json({ error: 'No handler registered for this interaction' });
  if (backend !== undefined) await forward(backend, interactionId, request.body);
  handler(request.body);
  handlers.delete(interactionId);
  response.status(200).json({ success: true });
});
const server = app.listen(0, '127.0.0.1', () => {
  // A turn of 1,000 may leave connections idle for longer than the default of 5 seconds.
  server.keepAliveTimeout = 75_000;
  serveTurns({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, roundTrip });
});

async function roundTrip(): Promise<void> {
  count += 1;
  const id = `interaction-${count}`;
  await new Promise((resolve) => {
    handlers.set(id, resolve);
    tellPeople(`/command-complete/${id}`);
  });
}

async function forward(url: string, interactionId: string, body: unknown): Promise<void> {
  const event = {
    session_id: 'session',
    interaction_id: interactionId,
    event_type: 'claude_hook',
    event_data: body,
    timestamp: new Date().toISOString(),
  };
  const response = await fetch(`${url}/api/sessions/session/events`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer token' },
    body: JSON.stringify(event),
  });
  if (!response.ok) throw new Error(`Failed to forward event to backend: ${response.statusText}`);
  await response.arrayBuffer();
}
