import { WebSocket } from 'ws';
import * as z from 'zod/mini';
import { BeckonError } from '../../protocol/errors.ts';
import { parse } from '../../protocol/parse.ts';
import type { InitializeParams } from './codex-types.ts';
import { createRpc, type Rpc, type RpcHandlers } from './rpc.ts';

/** Most bytes of one message. A session's last turn may hold pictures; more than this is no conversation. */
const MOST_BYTES = 33_554_432;
const HANDSHAKE_MS = 10_000;

const Initialized = z.object({ userAgent: z.string() });
const LoadedThreads = z.object({ data: z.array(z.string()), nextCursor: z.nullish(z.string()) });
/** Most pages of loaded threads that are read: who has more never ends. */
const MOST_PAGES = 100;

/** An open connection to Codex's shared app server. */
export interface AppServer extends Pick<Rpc, 'call' | 'reply'> {
  /** Its version; `unknown` if it does not say. */
  version: string;
  /** Resolves when the connection has ended. `isTooLarge`: because a message was. */
  closed: Promise<{ isTooLarge: boolean }>;
  close(): void;
}

/** Hears what the server sends. */
export type AppServerHandlers = Omit<RpcHandlers, 'send'>;

/** Connects to the app server behind a socket, and says who we are. Rejects with `undeliverable`. */
export async function connectAppServer(
  path: string,
  handlers: AppServerHandlers,
  { clientVersion, mostBytes = MOST_BYTES }: { clientVersion: string; mostBytes?: number },
): Promise<AppServer> {
  const socket = new WebSocket(`ws+unix://${path}:/`, {
    // Codex does not compress, and a compressed message may unpack to anything.
    perMessageDeflate: false,
    maxPayload: mostBytes,
    handshakeTimeout: HANDSHAKE_MS,
  });
  const rpc = createRpc({ ...handlers, send: (text) => socket.send(text) });
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<{ isTooLarge: boolean }>();
  let isTooLarge = false;
  socket.on('open', opened.resolve);
  socket.on('message', (data: Buffer) => rpc.receive(data.toString()));
  socket.on('error', (error: NodeJS.ErrnoException) => {
    isTooLarge ||= error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
    opened.reject(new BeckonError('undeliverable', `Codex's app server: ${error.message}`, { cause: error }));
  });
  socket.on('close', () => {
    rpc.close();
    closed.resolve({ isTooLarge });
  });
  try {
    await opened.promise;
    const reply = await rpc.call('initialize', toIntroduction(clientVersion));
    const { userAgent } = parse(Initialized, reply, { what: "Codex's reply to initialize" });
    rpc.notify('initialized');
    return {
      version: /^[^/\s]+\/(\d[^\s]*)/.exec(userAgent)?.[1] ?? 'unknown',
      call: (method, params) => rpc.call(method, params),
      reply: (id, result) => rpc.reply(id, result),
      closed: closed.promise,
      close: () => socket.terminate(),
    };
  } catch (error) {
    socket.terminate();
    throw error;
  }
}

/** The sessions that the server has in memory: the open ones, and some that ended a while ago. */
export async function listLoadedThreads(server: Pick<AppServer, 'call'>): Promise<string[]> {
  const threads: string[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const reply = await server.call('thread/loaded/list', cursor ? { cursor } : {});
    const { data, nextCursor } = parse(LoadedThreads, reply, { what: "Codex's list of sessions" });
    threads.push(...data);
    if (!nextCursor) break;
    cursor = nextCursor;
  }
  return threads;
}

function toIntroduction(version: string): InitializeParams {
  return {
    clientInfo: { name: 'beckon', title: 'Beckon', version },
    capabilities: { experimentalApi: true, requestAttestation: false },
  };
}
