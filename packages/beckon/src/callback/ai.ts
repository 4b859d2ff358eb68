import { type Components, toRegistry } from '../components/registry.ts';
import type { Tree } from '../components/tree.ts';
import type { Duration } from '../protocol/duration.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Json } from '../protocol/json.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '../protocol/limits.ts';
import { toText } from './agent-text.ts';
import type { Callback, CallbackEvent } from './callback.ts';
import { callbackRegistry } from './callback-registry.ts';
import type { Model, ModelOptions, ProviderName } from './model-options.ts';
import { prepareModel } from './models.ts';
import { type ShapeOptions, shape } from './shape.ts';

/** What the agent shows, complete. `callback_url` is where the page sends events; absent without a callback. */
export interface ComponentEvent {
  type: 'component';
  data: { components: Tree[]; callback_url?: string };
}
/** The components so far; each replaces the one before. */
export interface ComponentDelta {
  type: 'component_delta';
  data: { components: Tree[] };
}
/** What an agent that does not stream said. */
export interface TextEvent {
  type: 'text';
  data: { text: string };
}
/** Nobody did anything in time. It is the last event. */
export interface TimeoutEvent {
  type: 'timeout';
  data: { callback_url: string };
}
/** The events that `ai()` adds to those of the agent. */
export type AiEvent = ComponentEvent | ComponentDelta | TextEvent | TimeoutEvent;
/** The same with a callback: what is shown always has a `callback_url`. */
export type ConversationEvent =
  | (ComponentEvent & { data: { callback_url: string } })
  | ComponentDelta
  | TextEvent
  | TimeoutEvent;
/** An event of the agent, untouched. Even one without a `type`, such as a string, can be compared by `event.type`. */
export type AgentEvent<Event> = Event extends { type: unknown } ? Event : Event & { type?: never; data?: never };

/** What is known when the person did something, to decide what the agent is asked next. */
export interface Turn {
  /** What the agent was asked in this round. */
  query: string;
  /** What it said. */
  text: string;
  components: Tree[];
  /** The number of the round, from 1. */
  round: number;
}

/** Settings of `ai()`. */
export interface AiOptions extends ModelOptions {
  /**
   * What shapes the text into components: a provider by name, whose key is in the environment, or any language model of
   * the AI SDK. Without it the text is shown as Markdown, unless it has components already (see `protocol`).
   */
  llm?: ProviderName | Model | undefined;
  /**
   * Where the person's clicks come back, for one conversation at a time; a second one is refused with `invalid_input`.
   * Without it the stream ends with the first components.
   */
  callback?: Callback | undefined;
  /** The components to choose from: names of shipped ones, or a registry with your own. Default: all that ship. */
  components?: Components | undefined;
  /** How long to wait for the person in each round. Default 300 seconds. */
  timeout?: Duration | undefined;
  /** What the agent is asked next. Default: the query and what the person did. `null` ends the conversation. */
  continueWith?: ((event: CallbackEvent, turn: Turn) => string | null | Promise<string | null>) | undefined;
  /** The text in an event of the agent's stream. Default: the field that common frameworks use. */
  textOf?: ((event: unknown) => string) | undefined;
  /** Ends the stream, and the wait, with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Hears why a text could not be shaped and is shown as Markdown. Default: ignored. */
  onError?: ((error: unknown) => void) | undefined;
}

/** The answer of an agent that does not stream: awaited, its text with the components; iterated, a conversation. */
export interface Answered<Event = AiEvent>
  extends PromiseLike<[text: string, components: Tree[]]>,
    AsyncIterable<Event> {}

type TextAgent<Args extends readonly unknown[]> = (...args: Args) => string | PromiseLike<string>;
type StreamingAgent<Args extends readonly unknown[], Event> = (
  ...args: Args
) => AsyncIterable<Event> | Iterable<Event> | PromiseLike<AsyncIterable<Event>>;
type WithCallback = AiOptions & { callback: Callback };

/**
 * Lets an agent show components and go on with what the person does. Its events pass through untouched. Then its text
 * is shaped into components, which are the next event. Then `ai()` waits for the person and calls the agent again,
 * round after round. Leaving the loop ends the wait.
 */
export function ai<Args extends readonly unknown[]>(
  agent: TextAgent<Args>,
  options: WithCallback,
): (...args: Args) => Answered<ConversationEvent>;
export function ai<Args extends readonly unknown[]>(
  agent: TextAgent<Args>,
  options?: AiOptions,
): (...args: Args) => Answered;
export function ai<Args extends readonly unknown[], Event>(
  agent: StreamingAgent<Args, Event>,
  options: WithCallback,
): (...args: Args) => AsyncGenerator<AgentEvent<Event> | ConversationEvent, void, undefined>;
export function ai<Args extends readonly unknown[], Event>(
  agent: StreamingAgent<Args, Event>,
  options?: AiOptions,
): (...args: Args) => AsyncGenerator<AgentEvent<Event> | AiEvent, void, undefined>;
export function ai(
  agent: (...args: readonly unknown[]) => unknown,
  options: AiOptions = {},
): (...args: readonly unknown[]) => Answered | AsyncGenerator<unknown, void, undefined> {
  const { llm, components } = options;
  // Both throw here, before the agent is called.
  const loadModel = llm === undefined ? undefined : prepareModel(llm, options);
  const registry = toRegistry(components);
  return (...args) => {
    const gone = new AbortController();
    const signal = options.signal === undefined ? gone.signal : AbortSignal.any([gone.signal, options.signal]);
    const onError = options.onError ?? (() => undefined);
    const context: Context = { agent, options, gone, shaping: { loadModel, registry, signal, onError } };
    const output = call(agent, args);
    // Awaiting or iterating it reports the failure, now or later.
    if (output instanceof Promise) output.catch(() => undefined);
    if (isStream(output)) return leavable(converse(output, args, context), gone);
    return {
      // oxlint-disable-next-line unicorn/no-thenable -- it can be awaited and iterated, whichever the caller does
      then: (onDone, onFailure) => shapeOnce(output, args, context).then(onDone, onFailure),
      [Symbol.asyncIterator]: () => leavable(converse(output, args, context) as AsyncGenerator<AiEvent>, gone),
    };
  };
}

// An agent that throws right away fails like one that throws later.
function call(agent: (...args: readonly unknown[]) => unknown, args: readonly unknown[]): unknown {
  try {
    return agent(...args);
  } catch (error) {
    return Promise.reject(error);
  }
}

interface Context {
  agent: (...args: readonly unknown[]) => unknown;
  options: AiOptions;
  /** Aborted when the loop is left. */
  gone: AbortController;
  shaping: ShapeOptions;
}

async function* converse(
  first: unknown,
  firstArgs: readonly unknown[],
  context: Context,
): AsyncGenerator<unknown, void, undefined> {
  const { agent, options, gone } = context;
  const { callback, signal, continueWith = continueWithAction, timeout = DEFAULT_TIMEOUT_SECONDS } = options;
  if (callback !== undefined) callbackRegistry.begin(callback);
  const onAbort = (): void => gone.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  let output = first;
  let args = firstArgs;
  try {
    signal?.throwIfAborted();
    for (let round = 1; ; round += 1) {
      const query = toQuery(args);
      const text = yield* passThrough(output, options.textOf ?? toText);
      gone.signal.throwIfAborted();
      if (text.trim() === '') return;
      const components = yield* shapeWithDeltas(query, text, context);
      if (callback === undefined) {
        yield { type: 'component', data: { components } } satisfies ComponentEvent;
        return;
      }
      await callback.open?.(components as unknown as Json, { timeout });
      const callbackUrl = callback.endpoint();
      // Begins before the components are shown, so a consumer who also awaits gets the same event.
      const awaited = callback.awaitInteraction(timeout, { signal: gone.signal });
      awaited.catch(() => undefined);
      yield { type: 'component', data: { components, callback_url: callbackUrl } } satisfies ComponentEvent;
      const event = await orTimeout(leaveWith(awaited, gone.signal));
      if (event === null) {
        yield { type: 'timeout', data: { callback_url: callbackUrl } } satisfies TimeoutEvent;
        return;
      }
      const next = await continueWith(event, { query, text, components, round });
      if (next === null) return;
      args = [next, ...args.slice(1)];
      output = agent(...args);
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
    gone.abort(new BeckonError('closed', 'The loop over the events was left.'));
    // A callback with `open` has rounds and is closed after the last one. Others are for their owner to close.
    try {
      if (callback?.open !== undefined) await callback.close?.();
    } finally {
      if (callback !== undefined) callbackRegistry.end(callback);
    }
  }
}

async function* passThrough(output: unknown, textOf: (event: unknown) => string): AsyncGenerator<unknown, string> {
  const said = await output;
  if (!isStream(said)) {
    const text = typeof said === 'string' ? said : toText(said);
    if (text !== '') yield { type: 'text', data: { text } } satisfies TextEvent;
    return text;
  }
  let text = '';
  for await (const event of said) {
    text += textOf(event);
    yield event;
  }
  return text;
}

async function* shapeWithDeltas(query: string, text: string, { shaping }: Context): AsyncGenerator<AiEvent, Tree[]> {
  const shaped = shape({ query, text }, shaping);
  for (;;) {
    const { value, done } = await shaped.next();
    if (done === true) return value;
    yield { type: 'component_delta', data: { components: value } };
  }
}

async function shapeOnce(
  output: unknown,
  args: readonly unknown[],
  { shaping, options }: Context,
): Promise<[string, Tree[]]> {
  const parts = passThrough(output, options.textOf ?? toText);
  let said = await parts.next();
  while (said.done !== true) said = await parts.next();
  const shaped = shape({ query: toQuery(args), text: said.value }, shaping);
  let components = await shaped.next();
  while (components.done !== true) components = await shaped.next();
  return [said.value, components.value];
}

/** Lets a loop be left while it awaits the next event; a plain generator would finish waiting first. */
function leavable<Event>(
  events: AsyncGenerator<Event, void, undefined>,
  gone: AbortController,
): AsyncGenerator<Event, void, undefined> {
  let hasLeft = false;
  const leave = (): void => {
    hasLeft = true;
    gone.abort(new BeckonError('closed', 'The loop over the events was left.'));
  };
  const left: AsyncGenerator<Event, void, undefined> = {
    next: () =>
      events.next().catch((error: unknown) => {
        if (!hasLeft) throw error;
        return { done: true, value: undefined };
      }),
    return: (value) => {
      leave();
      return events.return(value);
    },
    throw: (error) => {
      leave();
      return events.throw(error);
    },
    [Symbol.asyncIterator]: () => left,
    [Symbol.asyncDispose]: async () => {
      leave();
      await events.return(undefined);
    },
  };
  return left;
}

/** Ends with the signal even if a custom callback ignores it. */
function leaveWith<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

async function orTimeout(awaited: Promise<CallbackEvent>): Promise<CallbackEvent | null> {
  try {
    return await awaited;
  } catch (error) {
    if (error instanceof BeckonError && error.code === 'wait_timed_out') return null;
    // A custom callback may throw the platform's own error.
    if (error instanceof Error && error.name === 'TimeoutError') return null;
    throw error;
  }
}

function continueWithAction({ action, data }: CallbackEvent, { query }: Turn): string {
  return `${query}\n\nThe person did: ${action} ${JSON.stringify(data)}`;
}

function toQuery([query]: readonly unknown[]): string {
  return typeof query === 'string' ? query : query === undefined ? '' : (JSON.stringify(query) ?? '');
}

function isStream(value: unknown): value is AsyncIterable<unknown> | Iterable<unknown> {
  if (typeof value !== 'object' || value === null) return false;
  return Symbol.asyncIterator in value || Symbol.iterator in value;
}
