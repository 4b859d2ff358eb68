import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { UNSENT } from './client/failures.ts';
import type { LineEars, LinePlace, LineSocket, Opened } from './client/line-place.ts';
import { readReply, toJson } from './client/reply.ts';
import { BeckonError } from './protocol/errors.ts';
import { LINE_GREETING, LINE_QUERY } from './protocol/line.ts';

/** The longest frame that a server sends: a page of the largest requests. */
const MOST_FRAME_BYTES = 268_435_456;
/** A server that stops, and proxies in front of one, say these. They mean nothing about lines. */
const PASSING = new Set([408, 429, 502, 503, 504]);

/** Opens lines over WebSockets of Node. The module behind it is loaded with the first one. */
export function createLinePlace(baseUrl: string, token: string | undefined): LinePlace {
  return {
    soon: (task) => process.nextTick(task),
    open: async (ears, signal) => {
      const { WebSocket: Socket } = await import('ws');
      if (signal.aborted) return 'unreachable';
      const socket = new Socket(`${baseUrl.replace(/^http/, 'ws')}/v1/ws?${LINE_QUERY}`, {
        perMessageDeflate: false,
        maxPayload: MOST_FRAME_BYTES,
        // Beckon's own replies are valid.
        skipUTF8Validation: true,
        ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
      });
      return await whenGreeted(socket, ears, { baseUrl, signal });
    },
  };
}

function whenGreeted(
  socket: WebSocket,
  ears: LineEars,
  { baseUrl, signal }: { baseUrl: string; signal: AbortSignal },
): Promise<Opened> {
  return new Promise((resolve) => {
    const settle = (opened: Opened): void => {
      signal.removeEventListener('abort', giveUp);
      if (typeof opened === 'string' || opened instanceof Error) socket.terminate();
      resolve(opened);
    };
    const giveUp = (): void => settle('refused');
    signal.addEventListener('abort', giveUp);
    socket.on('error', (error) => settle(isUnreachable(error) ? 'unreachable' : 'broken'));
    socket.on('close', () => settle('broken'));
    socket.once('unexpected-response', (_request, response: IncomingMessage) => {
      void readRefusal(baseUrl, response).then(settle);
    });
    socket.once('message', (data: Buffer) => {
      if (data.toString() !== LINE_GREETING) return settle('refused');
      socket.removeAllListeners('close');
      settle(listen(socket, ears));
    });
  });
}

function listen(socket: WebSocket, ears: LineEars): LineSocket {
  // `ws` has no other way to let the process end.
  const { _socket: raw } = socket as unknown as { _socket: { ref(): void; unref(): void } };
  let why = 'the connection broke';
  socket.on('message', (data: Buffer) => ears.onText(data.toString()));
  socket.on('ping', () => ears.onSign());
  socket.on('error', (error) => {
    why = error.message;
  });
  socket.on('close', (_code, reason) => ears.onEnd(reason.length > 0 ? String(reason) : why));
  return {
    send: (text) => socket.send(text),
    hold: (isHeld) => (isHeld ? raw.ref() : raw.unref()),
    close: () => {
      socket.close();
      // A dead server does not say goodbye.
      raw.unref();
      setTimeout(() => socket.terminate(), 1000).unref();
    },
  };
}

async function readRefusal(baseUrl: string, response: IncomingMessage): Promise<Opened> {
  const status = response.statusCode ?? 0;
  if (status !== 401) {
    response.resume();
    return PASSING.has(status) ? 'unreachable' : 'refused';
  }
  try {
    response.setEncoding('utf8');
    const text = (await response.toArray()).join('');
    const { error } = readReply(baseUrl, { status, body: toJson(text), type: 'no JSON', retryAfterMs: 0 });
    return error ?? 'refused';
  } catch (error) {
    return error instanceof BeckonError ? 'refused' : 'broken';
  }
}

function isUnreachable(error: Error): boolean {
  return 'code' in error && UNSENT.has(String(error.code));
}
