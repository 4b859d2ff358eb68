import type { WebSocket } from '@fastify/websocket';
import type { FastifyRequest } from 'fastify';
import { type Action, type Caller, type DeviceCaller, mayDo, maySee } from '../../core/access.ts';
import type { Watcher } from '../../core/beckon.ts';
import { BeckonError, toNotFoundError } from '../../protocol/errors.ts';
import { AnswerBody, LogNumber, ReasonBody } from '../../protocol/http.ts';
import { Id } from '../../protocol/ids.ts';
import { AskBody, type Interaction } from '../../protocol/interaction.ts';
import { LINE_GREETING, LINE_LIMITS, STREAMED, type Verb } from '../../protocol/line.ts';
import { parse } from '../../protocol/parse.ts';
import { parseJson } from '../../protocol/parse-json.ts';
import { toProblem } from '../../protocol/problem.ts';
import { callerOf, toForbidden } from '../access.ts';
import type { RouteContext } from '../app.ts';
import type { Connection } from '../connection.ts';
import { toBeckonError } from '../problems.ts';
import { logOf } from '../request-log.ts';
import { answer, ask, find } from '../routes/interactions.ts';
import { toStoppingError } from '../stopping.ts';
import { FrameWriter } from './frame-writer.ts';
import { LineLog } from './line-log.ts';

/** Most calls of one line in progress. A client of ours sends fewer. */
const MOST_CALLS = LINE_LIMITS.calls * 2;
/** Interactions that a line reads at once. Each may be megabytes long. */
const MOST_READ = 16;
/** Of how many interactions a line remembers that its caller may see them. */
const MOST_KNOWN = 10_000;

const ACTIONS: Record<Verb, Action> = {
  ask: 'ask',
  get: 'read',
  wait: 'read',
  answer: 'answer',
  cancel: 'cancel',
  supersede: 'cancel',
  follow: 'follow',
};

/** What a line needs. */
export interface LineOptions {
  socket: WebSocket;
  connection: Connection;
  /** The request that became the line. It says who calls. */
  request: FastifyRequest;
  context: RouteContext;
  /** Whether the caller's token is still valid. If not, the connection is being closed. */
  isAllowed: () => true | Promise<boolean>;
}

/** The server's side of a line: calls of one caller, each answered as its HTTP request would be. */
export class Line {
  readonly #socket: WebSocket;
  readonly #connection: Connection;
  readonly #request: FastifyRequest;
  readonly #context: RouteContext;
  readonly #caller: Caller | DeviceCaller;
  readonly #isAllowed: () => true | Promise<boolean>;
  readonly #writer: FrameWriter;
  readonly #waits = new Map<number, HeldWait>();
  readonly #logs = new Map<number, LineLog>();
  /** Waits that are still to be looked up. */
  readonly #strange: HeldWait[] = [];
  /** Calls that read first, until it is their turn. */
  readonly #readers: Call[] = [];
  /** Asked over this line, so the caller may see them: nothing can change that. */
  readonly #known = new Set<string>();
  #arrivals: Promise<void> = Promise.resolve();
  #underWay = 0;
  #reading = 0;
  #isLookingUp = false;
  #isStopping = false;

  constructor({ socket, connection, request, context, isAllowed }: LineOptions) {
    this.#connection = connection;
    this.#request = request;
    this.#context = context;
    this.#caller = callerOf(request);
    this.#isAllowed = isAllowed;
    this.#writer = new FrameWriter(socket, { isAllowed, slowReaderMs: context.times.slowReaderMs });
    socket.on('message', (data: Buffer) => {
      // One after another: what ends a wait must not overtake what begins it.
      this.#arrivals = this.#arrivals.then(() => this.#takeFrame(data));
    });
    socket.on('close', () => this.#end());
    this.#socket = socket;
    socket.send(LINE_GREETING);
  }

  /** Tells streams without events where they are. */
  tell(): void {
    for (const [ref, log] of this.#logs) log.tell((json) => this.#writer.write(ref, STREAMED, json));
  }

  /** Ends when the calls in progress have their replies. Waits begin again at the next server. */
  stop(): void {
    this.#isStopping = true;
    if (this.#underWay === 0) this.#writer.whenSent(() => this.#connection.close(1012, 'Beckon is stopping'));
  }

  async #takeFrame(data: Buffer): Promise<void> {
    if (this.#connection.isClosing) return;
    try {
      const isAllowed = this.#isAllowed();
      if (isAllowed !== true && !(await this.#pauseUntil(isAllowed))) return;
      const calls = parseJson(data.toString(), () => 'Expected calls as JSON.');
      if (!Array.isArray(calls)) throw new BeckonError('invalid_input', 'Expected an array of calls.');
      for (const call of calls) this.#takeCall(call);
      if (this.#strange.length > 0) void this.#lookUp();
    } catch (error) {
      this.#connection.close(1008, toBeckonError(error).message);
    }
  }

  // The store may answer late, and frames that come meanwhile would fill the memory.
  async #pauseUntil(isAllowed: Promise<boolean>): Promise<boolean> {
    this.#socket.pause();
    try {
      return await isAllowed;
    } finally {
      if (!this.#writer.isSlow) this.#socket.resume();
    }
  }

  #takeCall(call: unknown): void {
    if (!Array.isArray(call)) throw new BeckonError('invalid_input', 'Expected each call as an array.');
    const [ref, verb, id, body] = call as unknown[];
    if (!Number.isSafeInteger(ref)) throw new BeckonError('invalid_input', 'Expected a number before each call.');
    const number = ref as number;
    if (verb === 'drop') return this.#drop(number);
    if (verb === 'read') return this.#logs.get(number)?.noteRead(Number(body));
    // What has begun goes on: a client that is not sure may send it again.
    if (this.#waits.has(number) || this.#logs.has(number)) return;
    if (verb === 'wait') return this.#takeWait(number, id);
    if (!isVerb(verb)) return this.#fail(number, new BeckonError('invalid_input', 'This is no call of a line.'));
    if (!this.#isWelcome(number, verb, this.#underWay < MOST_CALLS)) return;
    if (verb === 'follow') return void this.#follow(number, body);
    this.#underWay += 1;
    const taken: Call = [number, verb, id, body];
    if (!this.#readsFirst(verb, id)) return void this.#call(taken);
    this.#readers.push(taken);
    if (this.#reading < MOST_READ) void this.#callReaders();
  }

  #readsFirst(verb: Call[1], id: unknown): boolean {
    if (verb === 'ask') return false;
    if (verb === 'answer') return this.#caller.chatId !== undefined;
    return verb === 'get' || !this.#known.has(id as string);
  }

  // One after another: all at once, they would fill the memory and keep everybody else waiting.
  async #callReaders(): Promise<void> {
    this.#reading += 1;
    for (let call = this.#readers.shift(); call !== undefined; call = this.#readers.shift()) {
      const room = this.#writer.whenRoom();
      if (room !== undefined) await room;
      await this.#call(call);
    }
    this.#reading -= 1;
  }

  #takeWait(ref: number, given: unknown): void {
    const { lineWaits, metrics } = this.#context;
    const hasRoom = this.#waits.size < LINE_LIMITS.waits && lineWaits.held < lineWaits.most;
    if (!this.#isWelcome(ref, 'wait', hasRoom)) return;
    const isKnown = this.#known.delete(given as string);
    let id: string;
    try {
      id = isKnown ? (given as string) : parse(Id, given, { what: 'path' });
    } catch (error) {
      return this.#fail(ref, error);
    }
    const wait = new HeldWait(ref, id, this.#endWait);
    wait.release = metrics.holdWait();
    lineWaits.held += 1;
    this.#waits.set(ref, wait);
    if (isKnown) this.#begin(wait);
    else this.#strange.push(wait);
  }

  #isWelcome(ref: number, verb: Verb, hasRoom: boolean): boolean {
    if (this.#isStopping) this.#fail(ref, toStoppingError());
    else if (!mayDo(this.#caller, ACTIONS[verb]))
      this.#fail(ref, new BeckonError('forbidden', toForbidden(this.#caller, ACTIONS[verb])));
    else if (!hasRoom) this.#fail(ref, new BeckonError('too_many_requests', 'Too many calls at once on one line.'));
    else return true;
    return false;
  }

  async #call([ref, verb, id, body]: Call): Promise<void> {
    try {
      await this.#run(ref, verb, verb === 'ask' ? '' : parse(Id, id, { what: 'path' }), body);
    } catch (error) {
      this.#fail(ref, error);
    }
    this.#underWay -= 1;
    if (this.#isStopping) this.stop();
  }

  async #run(ref: number, verb: Call[1], id: string, body: unknown): Promise<void> {
    const { beckon } = this.#context;
    switch (verb) {
      case 'ask': {
        const { interaction } = await ask(this.#context, this.#request, parse(AskBody, body, { what: 'body' }));
        if (this.#known.size < MOST_KNOWN) this.#known.add(interaction.id);
        return this.#reply(ref, interaction);
      }
      case 'answer': {
        const said = parse(AnswerBody, body, { what: 'body' });
        const { error, result, interaction } = await answer(beckon, this.#caller, id, said);
        if (error === null) return this.#reply(ref, { result, interaction });
        return this.#fail(ref, error, { result, interaction });
      }
      case 'get':
        return this.#reply(ref, await find(beckon, this.#caller, id));
      case 'cancel': {
        const { reason } = parse(ReasonBody, body, { what: 'body' });
        if (!this.#known.has(id)) await find(beckon, this.#caller, id);
        return this.#reply(ref, { cancelled: await beckon.cancel({ id }, reason) });
      }
      case 'supersede': {
        const { reason } = parse(ReasonBody, body, { what: 'body' });
        if (!this.#known.has(id)) await find(beckon, this.#caller, id);
        return this.#reply(ref, { superseded: await beckon.supersede(id, reason) });
      }
    }
  }

  /** Waits that came together are looked up together, a few at a time. */
  async #lookUp(): Promise<void> {
    if (this.#isLookingUp) return;
    this.#isLookingUp = true;
    while (this.#strange.length > 0) {
      const room = this.#writer.whenRoom();
      if (room !== undefined) await room;
      await this.#beginStrange(this.#strange.splice(0, MOST_READ));
    }
    this.#isLookingUp = false;
  }

  /** What the caller may not see looks as if it did not exist. */
  async #beginStrange(waits: readonly HeldWait[]): Promise<void> {
    // They may have been dropped, also meanwhile.
    const isHeld = (wait: HeldWait): boolean => this.#waits.get(wait.ref) === wait;
    try {
      const ids = waits.filter(isHeld).map(({ id }) => id);
      const found = new Map<string, Interaction>();
      for (const interaction of await this.#context.beckon.getMany(ids)) found.set(interaction.id, interaction);
      for (const wait of waits.filter(isHeld)) {
        const interaction = found.get(wait.id);
        if (interaction === undefined || !maySee(this.#caller, interaction)) wait.reject(toNotFoundError(wait.id));
        else if (interaction.status !== 'pending') wait.resolve(interaction);
        else this.#begin(wait);
      }
    } catch (error) {
      for (const wait of waits.filter(isHeld)) wait.reject(error);
    }
  }

  #begin(wait: HeldWait): void {
    try {
      this.#context.beckon.watch(wait.id, wait);
    } catch (error) {
      wait.reject(error);
    }
  }

  // Not a method of the wait: ten thousand of them share it.
  readonly #endWait = (wait: HeldWait, interaction: Interaction | null, error: unknown): void => {
    if (!this.#release(wait)) return;
    if (interaction !== null) this.#reply(wait.ref, interaction);
    // The connection is closed then, and the wait goes on at the next server.
    else if (!this.#isStopping && !this.#context.stopping.hasBegun) this.#fail(wait.ref, error);
  };

  async #follow(ref: number, after: unknown): Promise<void> {
    const log = new LineLog();
    if (this.#logs.size >= LINE_LIMITS.streams)
      return this.#fail(ref, new BeckonError('too_many_requests', 'Too many streams on one line.'));
    this.#logs.set(ref, log);
    try {
      const start = after === null || after === undefined ? null : parse(LogNumber, after, { what: 'after' });
      await log.follow(this.#context.beckon, this.#caller, start, (json) => this.#writer.write(ref, STREAMED, json));
    } catch (error) {
      if (!log.isOver && !this.#connection.isClosing) this.#fail(ref, error);
    } finally {
      this.#logs.delete(ref);
    }
  }

  #drop(ref: number): void {
    this.#logs.get(ref)?.end();
    const wait = this.#waits.get(ref);
    if (wait === undefined) return;
    this.#release(wait);
    this.#context.beckon.unwatch(wait.id, wait);
  }

  #release(wait: HeldWait): boolean {
    if (!this.#waits.delete(wait.ref)) return false;
    this.#context.lineWaits.held -= 1;
    wait.release?.();
    return true;
  }

  #reply(ref: number, body: object): void {
    // What nobody reads is not worth the time that a large one takes.
    if (!this.#writer.isOpen) return;
    this.#writer.write(ref, 200, JSON.stringify(body));
  }

  #fail(ref: number, error: unknown, more: object = {}): void {
    const problem = toBeckonError(error);
    if (problem.status >= 500 && problem.code !== 'closed') logOf(this.#request).error({ err: error }, 'call failed');
    this.#writer.write(ref, problem.status, JSON.stringify({ ...toProblem(problem), ...more }));
  }

  #end(): void {
    this.#strange.length = 0;
    this.#readers.length = 0;
    for (const ref of this.#waits.keys()) this.#drop(ref);
    for (const log of this.#logs.values()) log.end();
  }
}

/** A call that has one reply. */
type Call = [ref: number, verb: Exclude<Verb, 'wait' | 'follow'>, id: unknown, body: unknown];

function isVerb(verb: unknown): verb is Exclude<Verb, 'wait'> {
  return typeof verb === 'string' && verb !== 'wait' && Object.hasOwn(ACTIONS, verb);
}

/** A wait of a line. There may be ten thousand, so it is small. */
class HeldWait implements Watcher {
  readonly ref: number;
  readonly id: string;
  readonly #end: (wait: HeldWait, interaction: Interaction | null, error: unknown) => void;
  release: (() => void) | undefined = undefined;
  next: Watcher | undefined = undefined;
  previous: Watcher | undefined = undefined;

  constructor(ref: number, id: string, end: (wait: HeldWait, interaction: Interaction | null, error: unknown) => void) {
    this.ref = ref;
    this.id = id;
    this.#end = end;
  }

  resolve(interaction: Interaction): void {
    this.#end(this, interaction, null);
  }

  reject(error: unknown): void {
    this.#end(this, null, error);
  }
}
