import * as z from 'zod/mini';
import { BeckonError } from '../../protocol/errors.ts';

/** The number or name of a request. Codex counts for each of its processes, not for each connection. */
export const RequestId = z.union([z.number(), z.string()]);
export type RequestId = z.output<typeof RequestId>;

// Codex leaves out "jsonrpc".
const Message = z.object({
  id: z.optional(RequestId),
  method: z.optional(z.string()),
  params: z.optional(z.unknown()),
  result: z.optional(z.unknown()),
  error: z.optional(z.object({ message: z.string() })),
});

/** What a connection does with messages. */
export interface RpcHandlers {
  send(text: string): void;
  onRequest(id: RequestId, method: string, params: unknown): void;
  onNotification(method: string, params: unknown): void;
}

/** One end of a connection that sends calls, and is sent requests and notifications. */
export interface Rpc {
  /** Takes in one message. What is none, or answers nothing that was called, is ignored. */
  receive(text: string): void;
  /** Rejects with `undeliverable` if the other end refuses or does not reply in time. */
  call(method: string, params: object): Promise<unknown>;
  notify(method: string): void;
  reply(id: RequestId, result: object): void;
  /** Ends every call that still waits. */
  close(): void;
}

/** How long a call may take. */
const CALL_MS = 30_000;

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

/** Speaks JSON-RPC as Codex's app server does. */
export function createRpc({ send, onRequest, onNotification }: RpcHandlers, callMs = CALL_MS): Rpc {
  const waiting = new Map<RequestId, Waiting>();
  let last = 0;
  const take = (id: RequestId): Waiting | undefined => {
    const found = waiting.get(id);
    waiting.delete(id);
    clearTimeout(found?.timer);
    return found;
  };
  return {
    receive: (text) => {
      const message = readMessage(text);
      if (message === null) return;
      const { id, method, params, result, error } = message;
      if (method !== undefined && id !== undefined) onRequest(id, method, params);
      else if (method !== undefined) onNotification(method, params);
      else if (id !== undefined && error !== undefined) take(id)?.reject(toFailure(error.message));
      else if (id !== undefined) take(id)?.resolve(result);
    },
    call: (method, params) =>
      new Promise((resolve, reject) => {
        last += 1;
        const id = last;
        const timer = setTimeout(() => take(id)?.reject(toFailure(`no reply to ${method}`)), callMs).unref();
        waiting.set(id, { resolve, reject, timer });
        send(JSON.stringify({ id, method, params }));
      }),
    notify: (method) => send(JSON.stringify({ method })),
    reply: (id, result) => send(JSON.stringify({ id, result })),
    close: () => {
      for (const id of waiting.keys()) take(id)?.reject(toFailure('the connection was closed'));
    },
  };
}

function readMessage(text: string): z.output<typeof Message> | null {
  try {
    return z.safeParse(Message, JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function toFailure(what: string): BeckonError {
  return new BeckonError('undeliverable', `Codex: ${what}`);
}
