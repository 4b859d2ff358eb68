import type { AnswerInput } from '../protocol/answers.ts';
import type { Context } from '../protocol/context.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { AnswerEntry, AnswerResult, GroupResult } from './beckon.ts';

/** What a connector tells Beckon. `who` is the person as the connector knows them; Beckon adds `via`. */
export interface Inbound {
  /** A choice, a decision or a form that belongs to one interaction. */
  answer(id: string, answer: AnswerInput, who: string, via?: string): Promise<AnswerResult>;
  /** One answer for several interactions; see `Beckon.answerMany`. */
  answerMany(ids: readonly string[], answer: AnswerInput, who: string, via?: string): Promise<AnswerResult[]>;
  /** Answers for the questions of one call, all or none; see `Beckon.answerGroup`. */
  answerGroup(groupId: string, answers: readonly AnswerEntry[], who: string, via?: string): Promise<GroupResult>;
  /** An interaction as it is now; `null`: no interaction has this id. */
  get(id: string): Promise<Interaction | null>;
  /** Everything that surrounds an interaction; see `Beckon.context`. */
  context(id: string): Promise<Context | null>;
  /**
   * A text typed in a chat. The reply is for the person to read; `null`: the text was not for Beckon. `hasRead`:
   * whether the person can have read the last reply before writing it, if the connector knows.
   */
  say(chatId: string, text: string, who: string, via?: string, hasRead?: boolean): Promise<string | null>;
}

/**
 * Shows interactions to people and brings answers back, for example in Telegram. After a restart each method may be
 * called again for the same interaction, and must not ask twice: `show` repaints the existing copy.
 */
export interface Connector {
  /** Names the place in the log and to people: "answered in the terminal". */
  readonly name: string;
  /**
   * Whether it shows all steps of a call at once, for example as tabs. Otherwise it is given the lowest open step, and
   * the next one when that is settled.
   */
  readonly showsGroups?: boolean;
  /** Whether the person of this chat can be reached here. */
  reaches(chatId: string): boolean;
  /** Starts taking answers. */
  start(inbound: Inbound): Promise<void>;
  /** Shows an interaction. `earlier` are the steps of its call before it, all settled. Rejects if it could not. */
  show(interaction: Interaction, earlier?: readonly Interaction[]): Promise<void>;
  /** Closes or repaints every copy of a settled interaction: "answered in the terminal by dev@laptop". */
  settle(interaction: Interaction): Promise<void>;
  /**
   * The interactions whose copies an earlier run left open, as far as the connector knows: some may have ended since.
   */
  listOpen?(): readonly string[];
  /**
   * Says something in a chat: a request for feedback, a reminder. `about` is the id of the interaction that it is
   * about, if there is one: a place with threads says it there.
   */
  prompt(chatId: string, text: string, about?: string): Promise<void>;
  /** Stops taking answers and releases everything. */
  stop(): Promise<void>;
}
