import type { AnswerInput } from '../protocol/answers.ts';
import type { Context } from '../protocol/context.ts';
import type { Duration } from '../protocol/duration.ts';
import type { LogEvent } from '../protocol/events.ts';
import type {
  Answerer,
  AskInput,
  Interaction,
  InteractionOf,
  Kind,
  ParsedAsk,
  Settled,
} from '../protocol/interaction.ts';
import type { InteractionPage, ListFilter } from '../protocol/list.ts';
import type { Note } from '../protocol/note.ts';

/** What an answerer hears. */
export interface AnswerResult {
  /**
   * `lost`: a different answer was first. `late`: the request had ended without an answer. `unknown`: no request has
   * this id.
   */
  result: 'accepted' | 'repeated' | 'lost' | 'late' | 'unknown';
  /** The interaction after this answer; for `lost` it has the winner's. */
  interaction: Interaction | null;
}

/** One answer of several that are sent together. */
export interface AnswerEntry {
  id: string;
  answer: AnswerInput;
}

/** What an answerer of a whole group hears. */
export interface GroupResult {
  /**
   * `accepted` or `repeated`: every answer counts. Anything else: none was recorded, because of this result for one.
   */
  result: AnswerResult['result'];
  /** The interactions in the order of the answers, as they are afterwards. */
  interactions: (Interaction | null)[];
}

/** `callback_url` is where a page sends what a person does with components; only a daemon gives one. */
export type Asked<K extends Kind = Kind> = InteractionOf<K> & { callback_url?: string | undefined };

/** One interaction, or everything pending in a chat. */
export type CancelTarget = { id: string } | { chatId: string };

/**
 * Holds agents' requests until somebody answers. The interface is the same in process (`openBeckon`) and over HTTP
 * (`connectBeckon`), and connectors and adapters use nothing else.
 */
export interface Beckon {
  /**
   * Asks a person. If the `idempotencyKey` was used before for the same kind, request and chat, it gives that
   * interaction. Throws `key_reused` if the key was used for something else.
   */
  ask<K extends Kind>(input: AskInput<K>): Promise<Asked<K>>;
  /**
   * Asks several requests of one call together, in one commit: all of them or none. They share a `groupId` (one is made
   * if none is given) and are numbered as steps.
   */
  askGroup<K extends Kind>(inputs: readonly AskInput<K>[]): Promise<Asked<K>[]>;
  /**
   * Resolves with the settled interaction, even if it was settled before the call. Rejects with `wait_timed_out` after
   * `timeout` (the interaction stays pending), with the signal's reason when aborted, and with `closed` when Beckon
   * closes. If you know the kind, name it: `wait<'approval'>(id)`.
   */
  wait<K extends Kind = Kind>(id: string, options?: { timeout?: Duration; signal?: AbortSignal }): Promise<Settled<K>>;
  /** Offers an answer. Throws `invalid_answer` if it does not fit the request; every other result is a value. */
  answer(id: string, answer: AnswerInput, by: Answerer): Promise<AnswerResult>;
  /** Gives the same answer to several requests in one commit. Each is judged by itself; the results are in order. */
  answerMany(ids: readonly string[], answer: AnswerInput, by: Answerer): Promise<AnswerResult[]>;
  /**
   * Answers several requests of one group in one commit: all of them or none. Throws `invalid_answer` if one does not
   * fit, and `invalid_input` if one is not of this group.
   */
  answerGroup(groupId: string, answers: readonly AnswerEntry[], by: Answerer): Promise<GroupResult>;
  /**
   * Lets a text typed in a chat answer what is pending there. `false`: it answered nothing. What is dangerous needs the
   * words "allow anyway"; a plain yes answers nothing. `seen` is the number of the
   * last event that its author had seen: requests asked after it are not answered.
   */
  say(chatId: string, text: string, by: Answerer, options?: { seen?: number | undefined }): Promise<boolean>;
  /** Ends what is pending without an answer. Returns the ids that it ended. */
  cancel(target: CancelTarget, reason?: string): Promise<string[]>;
  /** Ends a request that was settled outside Beckon, or that the agent asked again. `false`: it was not pending. */
  supersede(id: string, reason?: string): Promise<boolean>;
  /**
   * Logs that a request was shown, could not be shown, or that people were reminded of it. `false`: it no longer
   * applies.
   */
  note(id: string, note: Note): Promise<boolean>;
  /** If you know the kind, name it: `get<'approval'>(id)`. */
  get<K extends Kind = Kind>(id: string): Promise<InteractionOf<K> | null>;
  /** Everything that surrounds a request, as its agent said; `null` if it said nothing or the request is unknown. */
  context(id: string): Promise<Context | null>;
  /** Newest first. To continue with `events` where the list ends, pass it the `lastSeq` of the first page. */
  list(filter?: ListFilter): Promise<InteractionPage>;
  /**
   * The log after number `after`, then live, without gaps or repeats. Without `after` it starts with the call: it has
   * everything that this Beckon does from then on, and everything that a later `get` or `list` does not show.
   */
  events(options?: { after?: number; signal?: AbortSignal }): AsyncIterable<LogEvent>;
  /** Finishes what was accepted, ends waits with `closed`, and releases the database. */
  close(): Promise<void>;
}

/** Beckon as the process that owns its store serves it to others. */
export interface ServedBeckon extends Beckon {
  /** `ask` for parsed input. `isNew`: no earlier interaction had its idempotency key. */
  askParsed(input: ParsedAsk): Promise<{ interaction: Interaction; isNew: boolean }>;
  /** `askGroup` for parsed input. */
  askGroupParsed(inputs: readonly ParsedAsk[]): Promise<{ interaction: Interaction; isNew: boolean }[]>;
  /** The number of the last event of the log. */
  lastSeq(): Promise<number>;
  /** Those of the interactions that exist, in no order. */
  getMany(ids: readonly string[]): Promise<Interaction[]>;
  /** `wait` without a promise: the watcher is told once, unless `unwatch` comes first. */
  watch(id: string, watcher: Watcher): void;
  unwatch(id: string, watcher: Watcher): void;
}

/** Is told how an interaction ended, or why that cannot be known. Somebody may have ten thousand of them. */
export interface Watcher {
  resolve(interaction: Interaction): void;
  reject(error: unknown): void;
  /** Others of the same interaction: for Beckon alone. */
  next: Watcher | undefined;
  previous: Watcher | undefined;
}
