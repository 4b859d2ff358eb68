import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { openRequest, type Pins } from '../../where/open-request.ts';

/** As in `protocol/agent-hooks.ts`, which would load the schemas. */
const INTERACTION_HEADER = 'beckon-interaction';

/**
 * The result of sending a hook. `pending`: people have not answered yet, and the sender comes back. `refused`: no
 * Beckon is there, or it said no, with the status. `lost`: the connection broke, or the server is stopping. `cause` is
 * what the connection failed with; `isBeckon`: it was Beckon itself that said so, not something in between.
 */
export type PostReply =
  | { result: 'replied'; text: string; interactionId?: string }
  | { result: 'pending' }
  | { result: 'refused'; status?: number; isBeckon?: boolean; cause?: unknown }
  | { result: 'lost'; status?: number; cause?: unknown };

/** What is sent to Beckon. Without a `text` it is asked for something. */
export interface PostOptions {
  url: URL;
  token: string;
  pins?: Pins | undefined;
  key: string;
  text?: string;
  /** How long all of it may take. */
  limitMs: number | undefined;
  /** How long it may take until there is a connection. */
  connectMs?: number;
  /** Keeps connections for later calls. Default: each call has its own. */
  agent?: Agent | undefined;
}

/** Sends a hook and waits for the reply, within the limits where they are set. Never rejects. */
export function post({ url, token, pins, key, text, limitMs, connectMs, agent }: PostOptions): Promise<PostReply> {
  return new Promise((resolve) => {
    let isConnected = false;
    const failed = (cause?: unknown): void =>
      resolve({ result: isConnected ? 'lost' : 'refused', ...(cause !== undefined && { cause }) });
    const headers = {
      authorization: `Bearer ${token}`,
      'idempotency-key': key,
      ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    };
    let outgoing: ClientRequest;
    try {
      // Node's own client loads faster than fetch, and waits without a limit where fetch gives up after five minutes.
      const method = text === undefined ? 'GET' : 'POST';
      outgoing = openRequest(url, { method, agent: agent ?? false, headers }, pins);
    } catch (error) {
      // A token from the environment may have characters that no header can carry.
      return failed(error);
    }
    const limit = startLimit(outgoing, limitMs, 'no reply');
    const connectLimit = startLimit(outgoing, connectMs, 'no connection');
    outgoing.on('close', () => {
      clearTimeout(limit);
      clearTimeout(connectLimit);
      // After a reply this changes nothing.
      failed();
    });
    outgoing.on('error', failed);
    outgoing.on('socket', (socket) => {
      if (outgoing.reusedSocket) return onConnected();
      socket.setKeepAlive(true, 30_000);
      socket.once('connect', () => clearTimeout(connectLimit));
      // A certificate that is not accepted is no reason to wait for the server to come back.
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        if (!socket.destroyed) onConnected();
      });
    });
    const onConnected = (): void => {
      isConnected = true;
      clearTimeout(connectLimit);
    };
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', failed);
      response.on('aborted', () => failed());
      response.on('end', () => resolve(toReply(response, Buffer.concat(chunks).toString())));
    });
    outgoing.end(text);
  });
}

function startLimit(outgoing: ClientRequest, ms: number | undefined, what: string): NodeJS.Timeout | undefined {
  if (ms === undefined) return undefined;
  return setTimeout(() => outgoing.destroy(new Error(`${what} within ${Math.ceil(ms / 1000)} s`)), ms);
}

// Another program may have the port, or a proxy may be in between, and their replies are not for Claude Code.
function toReply({ statusCode: status = 0, headers }: IncomingMessage, text: string): PostReply {
  const value = parseObject(text);
  if (status === 200 && value !== null) {
    const id = headers[INTERACTION_HEADER];
    return { result: 'replied', text, ...(typeof id === 'string' && { interactionId: id }) };
  }
  if (status === 202 && value?.['status'] === 'pending') return { result: 'pending' };
  if (status === 200 || status === 202) return { result: 'refused' };
  if (status === 503) return { result: 'lost', status };
  const isBeckon = typeof value?.['code'] === 'string' && headers['content-type']?.includes('problem+json') === true;
  return { result: 'refused', status, ...(isBeckon && { isBeckon }) };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Not JSON, so not a Beckon.
  }
  return null;
}
