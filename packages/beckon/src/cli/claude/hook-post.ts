import type { ClientRequest } from 'node:http';

// Not an import: that would load everything the module offers, WebSockets included, and double the time of a hook.
const { request } = process.getBuiltinModule('node:http');

/** As in `protocol/agent-hooks.ts`, which would load the schemas. */
const INTERACTION_HEADER = 'beckon-interaction';

/**
 * The result of sending a hook. `refused`: no Beckon is there, or it said no, with the status. `lost`: the connection
 * broke, or the server is stopping.
 */
export type PostReply =
  | { result: 'replied'; text: string; interactionId?: string }
  | { result: 'refused'; status?: number }
  | { result: 'lost' };

/** What is sent to Beckon. Without a `text` it is asked for something. */
export interface PostOptions {
  url: URL;
  token: string;
  key: string;
  text?: string;
  limitMs: number | undefined;
}

/** Sends a hook and waits for the reply, up to `limitMs` where that is set. Never rejects. */
export function post({ url, token, key, text, limitMs }: PostOptions): Promise<PostReply> {
  return new Promise((resolve) => {
    let isConnected = false;
    const failed = (): void => resolve({ result: isConnected ? 'lost' : 'refused' });
    const headers = {
      authorization: `Bearer ${token}`,
      'idempotency-key': key,
      ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    };
    let outgoing: ClientRequest;
    try {
      // Node's own client loads faster than fetch, and waits without a limit where fetch gives up after five minutes.
      outgoing = request(url, { method: text === undefined ? 'GET' : 'POST', agent: false, headers });
    } catch {
      // A token from the environment may have characters that no header can carry.
      return failed();
    }
    const limit = limitMs === undefined ? undefined : setTimeout(() => outgoing.destroy(), limitMs);
    outgoing.on('close', () => clearTimeout(limit));
    outgoing.on('error', failed);
    outgoing.on('socket', (socket) => {
      socket.setKeepAlive(true, 30_000);
      socket.once('connect', () => {
        isConnected = true;
      });
    });
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', failed);
      response.on('aborted', failed);
      response.on('end', () => {
        const status = response.statusCode ?? 0;
        if (status === 200) resolve(toReply(Buffer.concat(chunks).toString(), response.headers[INTERACTION_HEADER]));
        else resolve(status === 503 ? { result: 'lost' } : { result: 'refused', status });
      });
    });
    outgoing.end(text);
  });
}

// Another program may have the port now, and its reply is not for Claude Code.
function toReply(text: string, id: string | string[] | undefined): PostReply {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { result: 'replied', text, ...(typeof id === 'string' && { interactionId: id }) };
    }
  } catch {
    // Not JSON, so not a Beckon.
  }
  return { result: 'refused' };
}
