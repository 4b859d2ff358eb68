// Not an import: that would load everything that the module offers, WebSockets too, and double the time of a hook.
const { request } = process.getBuiltinModule('node:http');

/** What came of sending a hook. `refused`: nobody was there, or no Beckon, or it said no, with the status. `lost`: somebody was there, and is gone or busy with stopping. */
export type PostReply =
  | { result: 'replied'; text: string }
  | { result: 'refused'; status?: number }
  | { result: 'lost' };

/** Sends a hook and waits for the reply, as long as it takes or up to `limitMs`. Never throws. */
export function post(options: {
  url: URL;
  token: string;
  key: string;
  text: string;
  limitMs: number | undefined;
}): Promise<PostReply> {
  const { url, token, key, text, limitMs } = options;
  return new Promise((resolve) => {
    let isConnected = false;
    const failed = (): void => resolve({ result: isConnected ? 'lost' : 'refused' });
    // Node's own client: it is loaded in no time, and waits without limit where that of fetch gives up after five minutes.
    const outgoing = request(url, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        'idempotency-key': key,
      },
    });
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
        if (status === 200) resolve(toReply(Buffer.concat(chunks).toString()));
        else resolve(status === 503 ? { result: 'lost' } : { result: 'refused', status });
      });
    });
    outgoing.end(text);
  });
}

// Another program may have the port now, and what it says is not for Claude Code.
function toReply(text: string): PostReply {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { result: 'replied', text };
  } catch {
    // Not JSON, so not a Beckon.
  }
  return { result: 'refused' };
}
