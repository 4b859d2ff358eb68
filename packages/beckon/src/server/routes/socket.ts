import type { WebSocket } from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { type Caller, mayDo, mayEnter, maySee } from '../../core/access.ts';
import type { Beckon } from '../../core/beckon.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { EventsQuery } from '../../protocol/http.ts';
import { parse } from '../../protocol/parse.ts';
import { toProblem } from '../../protocol/problem.ts';
import { SocketCommand } from '../../protocol/socket.ts';
import { callerOf } from '../access.ts';
import type { RouteContext } from '../app.ts';
import { toBeckonError } from '../problems.ts';
import { concerns } from './events.ts';

const PING_MS = 30_000;
/** A reader that takes nothing for so long is cut off. */
const SLOW_MS = 20_000;
/** Commands of one connection that may be under way at once. */
const MOST_COMMANDS = 100;

/** Events out, answers in. */
export function addSocketRoute(scope: FastifyInstance, { beckon, stopping }: RouteContext): void {
  scope.withTypeProvider<ZodTypeProvider>().route({
    method: 'GET',
    url: '/v1/ws',
    config: { action: 'follow' },
    schema: { summary: 'WebSocket: events out; answer, say and cancel in', querystring: EventsQuery },
    handler: async () => {
      throw new BeckonError('invalid_input', 'This route speaks WebSocket: send "Upgrade: websocket".');
    },
    wsHandler: (socket, request) => {
      const caller = callerOf(request);
      const gone = new AbortController();
      const leave = (): void => socket.close(1012, 'Beckon is stopping');
      stopping.addEventListener('abort', leave);
      const stopPinging = startPinging(socket);
      socket.on('close', () => {
        gone.abort();
        stopPinging();
        stopping.removeEventListener('abort', leave);
      });
      socket.on('error', (error) => request.log.warn({ err: error }, 'socket failed'));
      takeCommands(socket, (command) => run(beckon, caller, command));
      void follow(socket, beckon, caller, request.query as { after?: number }, gone.signal).catch((error: unknown) => {
        if (gone.signal.aborted) return;
        request.log.warn({ err: error }, 'socket ended');
        socket.terminate();
      });
    },
  });
}

async function follow(
  socket: WebSocket,
  beckon: Beckon,
  caller: Caller,
  { after }: { after?: number },
  signal: AbortSignal,
): Promise<void> {
  for await (const event of beckon.events({ ...(after !== undefined && { after }), signal })) {
    if (concerns(caller, event)) await send(socket, { type: 'event', event });
  }
}

function takeCommands(socket: WebSocket, handle: (command: SocketCommand) => Promise<object>): void {
  let underWay = 0;
  socket.on('message', (data, isBinary) => {
    if (underWay >= MOST_COMMANDS) {
      socket.close(1008, 'Too many commands at once');
      return;
    }
    underWay += 1;
    void reply(String(data), isBinary, handle)
      .then((answer) => send(socket, answer))
      .catch(() => socket.terminate()) // The reply cannot be delivered, so the connection is of no use.
      .finally(() => {
        underWay -= 1;
      });
  });
}

async function reply(
  text: string,
  isBinary: boolean,
  handle: (command: SocketCommand) => Promise<object>,
): Promise<object> {
  let ref: string | undefined;
  try {
    if (isBinary) throw new BeckonError('invalid_input', 'Send commands as text.');
    const input = toJson(text);
    ref = findRef(input);
    return { type: 'reply', ref, ...(await handle(parse(SocketCommand, input, { what: 'command' }))) };
  } catch (error) {
    return { type: 'reply', ref, error: toProblem(toBeckonError(error)) };
  }
}

async function run(beckon: Beckon, caller: Caller, command: SocketCommand): Promise<object> {
  const action = command.type;
  if (!mayDo(caller, action)) throw new BeckonError('forbidden', `A token with the role "${caller.role}" does not allow this.`);
  const by = { who: caller.name, via: 'via' in command && command.via !== undefined ? command.via : 'socket' };
  if ('chatId' in command && !mayEnter(caller, command.chatId)) {
    throw new BeckonError('forbidden', `This token is for the chat ${JSON.stringify(caller.chatId)} only.`);
  }
  if ('id' in command) await checkVisible(beckon, caller, command.id);
  switch (command.type) {
    case 'answer':
      return { ...(await beckon.answer(command.id, command.answer as AnswerInput, by)) };
    case 'say':
      return { routed: await beckon.say(command.chatId, command.text, by) };
    case 'cancel':
      return { cancelled: await beckon.cancel({ id: command.id }, command.reason) };
  }
}

async function checkVisible(beckon: Beckon, caller: Caller, id: string): Promise<void> {
  const interaction = await beckon.get(id);
  if (interaction === null || !maySee(caller, interaction)) {
    throw new BeckonError('interaction_not_found', `There is no interaction with the id ${JSON.stringify(id)}.`);
  }
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BeckonError('invalid_input', 'Expected a command as JSON.', { cause: error });
  }
}

// A command that is wrong otherwise still gets its reply under the reference it gave.
function findRef(input: unknown): string | undefined {
  const ref = typeof input === 'object' && input !== null && 'ref' in input ? input.ref : undefined;
  return typeof ref === 'string' ? ref.slice(0, 200) : undefined;
}

function startPinging(socket: WebSocket): () => void {
  let isAlive = true;
  socket.on('pong', () => {
    isAlive = true;
  });
  const timer = setInterval(() => {
    if (!isAlive) {
      socket.terminate();
      return;
    }
    isAlive = false;
    socket.ping();
  }, PING_MS);
  return () => clearInterval(timer);
}

// Resolves when the message has left, so a slow reader holds back the log and not the memory.
function send(socket: WebSocket, message: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The reader is too slow')), SLOW_MS);
    socket.send(JSON.stringify(message), (error) => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve();
    });
  });
}
