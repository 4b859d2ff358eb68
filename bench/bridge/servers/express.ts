// `express.ts BACKEND`: the server that the bridge replaces, word for word where it matters: parse, look up the
// handler, forward, then answer. It keeps nothing.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { reportReady } from '../../http/servers/report.ts';
import { INTERACTION, SESSION } from '../workload.ts';

interface Request {
  params: { interactionId: string };
  body: Record<string, unknown>;
}
interface Response {
  status(code: number): { json(body: object): void };
}
/** As much of Express as the document uses. It is not a dependency of Beckon, so it has no types here. */
interface Express {
  (): {
    use(middleware: unknown): void;
    post(path: string, handler: (request: Request, response: Response) => Promise<void>): void;
    listen(port: number, host: string, onListening: () => void): Server;
  };
  json(): unknown;
}

const [, , apiUrl = ''] = process.argv;
const apiToken = 'token';
const sessionId = SESSION;
// No handler ever goes away: each request must find its own.
const callbacks = { get: () => () => undefined, delete: () => undefined };

const { default: express } = (await import('express')) as { default: Express };
const app = express();
app.use(express.json());
app.post('/command-complete/:interactionId', (request, response) => handleCallback(request, response));
const server = app.listen(0, 'localhost', () => {
  const { port } = server.address() as AddressInfo;
  reportReady({ url: `http://localhost:${port}/command-complete/${INTERACTION}` }, () => server.closeAllConnections());
});

async function handleCallback(request: Request, response: Response): Promise<void> {
  const { interactionId } = request.params;
  const hookData = request.body;
  try {
    const handler = callbacks.get();
    if (handler !== undefined) {
      await forwardToBackend(interactionId, hookData);
      handler();
      callbacks.delete();
      response.status(200).json({ success: true });
    } else {
      response.status(404).json({ error: 'No handler registered for this interaction' });
    }
  } catch (error) {
    response.status(500).json({ error: (error as Error).message });
  }
}

async function forwardToBackend(interactionId: string, hookData: Record<string, unknown>): Promise<void> {
  const eventType = hookData['event_type'] ?? hookData['type'] ?? 'claude_hook';
  const wrappedEvent = {
    session_id: sessionId,
    interaction_id: interactionId,
    event_type: eventType,
    event_data: hookData,
    timestamp: new Date().toISOString(),
  };
  const response = await fetch(`${apiUrl}/api/sessions/${sessionId}/events`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${apiToken}` },
    body: JSON.stringify(wrappedEvent),
  });
  if (!response.ok) throw new Error(`Failed to forward event to backend: ${response.statusText}`);
}
