import type { WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { type Caller, mayDo, mayEnter, maySee } from '../../core/access.ts';
import type { Beckon } from '../../core/beckon.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import { BeckonError, toNotFoundError } from '../../protocol/errors.ts';
import { parse } from '../../protocol/parse.ts';
import { parseJson } from '../../protocol/parse-json.ts';
import { toProblem } from '../../protocol/problem.ts';
import { SocketCommand, SocketQuery } from '../../protocol/socket.ts';
import { callerOf, toForbidden } from '../access.ts';
import { toAnswerer } from '../answerer.ts';
import type { RouteContext } from '../app.ts';
import { Connection } from '../connection.ts';
import { Line } from '../line/line.ts';
import { PROBLEMS, UPGRADED } from '../openapi.ts';
import { toBeckonError } from '../problems.ts';
import { createRecheck, toGoneError, watchCaller } from '../recheck.ts';
import { logOf } from '../request-log.ts';
import { concerns } from './events.ts';
import { checkRights } from './interactions.ts';

/** Most commands of one connection in progress at once. */
const MOST_COMMANDS = 100;

const STOPPING = 'Beckon is stopping';

export const SOCKET_PATH = '/v1/ws';

/** Events out, answers in. */
export function addSocketRoute(scope: FastifyInstance, context: RouteContext): void {
  const { beckon, stopping, times } = context;
  scope.withTypeProvider<ZodTypeProvider>().route({
    method: 'GET',
    url: SOCKET_PATH,
    config: { action: 'read' },
    // Whoever may read may have a line, which checks each call.
    preValidation: async (request) => {
      const caller = callerOf(request);
      if (!isLine(request) && !mayDo(caller, 'follow'))
        throw new BeckonError('forbidden', toForbidden(caller, 'follow'));
    },
    schema: {
      operationId: 'openSocket',
      summary: 'WebSocket: events out; answer, say and cancel in',
      querystring: SocketQuery,
      response: { 101: UPGRADED, ...PROBLEMS },
    },
    handler: async () => {
      throw new BeckonError('invalid_input', 'This route speaks WebSocket: send "Upgrade: websocket".');
    },
    wsHandler: (socket, request) => {
      const caller = callerOf(request);
      const isStillAllowed = createRecheck(request, context);
      const connection = new Connection(socket, times);
      const dismiss = (): void => connection.close(4401, 'The token is no longer valid');
      const forget = watchCaller(request, context, dismiss);
      const isAllowed = (): true | Promise<boolean> => {
        const checked = isStillAllowed();
        return checked === true || checked.then((isValid) => isValid || (dismiss(), false));
      };
      const line = isLine(request) ? new Line({ socket, connection, request, context, isAllowed }) : null;
      const gone = new AbortController();
      const stay = stopping.onBegin(() => (line === null ? connection.close(1012, STOPPING) : line.stop()));
      const heartbeat = setInterval(() => {
        connection.ping();
        line?.tell();
        void Promise.resolve(isAllowed()).catch(dismiss);
      }, times.heartbeatMs);
      socket.on('close', () => {
        gone.abort();
        clearInterval(heartbeat);
        stay();
        forget();
      });
      socket.on('error', (error) => logOf(request).warn({ err: error }, 'socket failed'));
      if (line !== null) return;
      takeCommands(socket, connection, async (command) => {
        if (await isAllowed()) return run(beckon, caller, command);
        throw toGoneError();
      });
      void follow().catch((error: unknown) => {
        if (gone.signal.aborted || connection.isClosing) return;
        logOf(request).warn({ err: error }, 'socket ended');
        socket.terminate();
      });

      async function follow(): Promise<void> {
        const { after } = request.query as { after?: number }; // Checked before the upgrade.
        for await (const event of beckon.events({ ...(after !== undefined && { after }), signal: gone.signal })) {
          if (!concerns(caller, event)) continue;
          if (!(await isAllowed())) return;
          await connection.send({ type: 'event', event });
        }
      }
    },
  });
}

// Checked before the upgrade.
function isLine({ query }: FastifyRequest): boolean {
  return (query as { calls?: string }).calls !== undefined;
}

function takeCommands(
  socket: WebSocket,
  connection: Connection,
  handle: (command: SocketCommand) => Promise<object>,
): void {
  let underWay = 0;
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (connection.isClosing) return;
    if (underWay >= MOST_COMMANDS) {
      connection.close(1008, 'Too many commands at once');
      return;
    }
    underWay += 1;
    void reply(data.toString(), isBinary, handle)
      .then((answer) => connection.send(answer))
      .catch(() => connection.isClosing || socket.terminate()) // Without replies the connection is useless.
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
    const input = parseJson(text, () => 'Expected a command as JSON.');
    ref = findRef(input);
    return { type: 'reply', ref, ...(await handle(parse(SocketCommand, input, { what: 'command' }))) };
  } catch (error) {
    return { type: 'reply', ref, error: toProblem(toBeckonError(error)) };
  }
}

async function run(beckon: Beckon, caller: Caller, command: SocketCommand): Promise<object> {
  const action = command.type;
  if (!mayDo(caller, action))
    throw new BeckonError('forbidden', `A token with the role "${caller.role}" does not allow this.`);
  const by = toAnswerer(caller, 'socket', 'text' in command || 'answer' in command ? command : {});
  if ('chatId' in command && !mayEnter(caller, command.chatId)) {
    throw new BeckonError('forbidden', `This token is for the chat ${JSON.stringify(caller.chatId)} only.`);
  }
  if ('id' in command) await checkVisible(beckon, caller, command.id);
  switch (command.type) {
    case 'answer':
      checkRights(caller, command.answer);
      return { ...(await beckon.answer(command.id, command.answer as AnswerInput, by)) };
    case 'say':
      return { routed: await beckon.say(command.chatId, command.text, by, { seen: command.seen }) };
    case 'cancel':
      return { cancelled: await beckon.cancel({ id: command.id }, command.reason) };
  }
}

async function checkVisible(beckon: Beckon, caller: Caller, id: string): Promise<void> {
  const interaction = await beckon.get(id);
  if (interaction === null || !maySee(caller, interaction)) {
    throw toNotFoundError(id);
  }
}

// An invalid command still gets its reply under the reference it gave.
function findRef(input: unknown): string | undefined {
  const ref = typeof input === 'object' && input !== null && 'ref' in input ? input.ref : undefined;
  return typeof ref === 'string' ? ref.slice(0, 200) : undefined;
}
