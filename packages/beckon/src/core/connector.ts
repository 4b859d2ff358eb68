import type { AnswerInput } from '../protocol/answers.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { AnswerResult } from './beckon.ts';

/** What a connector tells Beckon. `who` is the person as the connector knows them; `via` is added for it. */
export interface Inbound {
  /** A choice, a decision or a form that belongs to one interaction. */
  answer(id: string, answer: AnswerInput, who: string, via?: string): Promise<AnswerResult>;
  /**
   * A text typed in a chat. The reply is what the person should read; `null` where the text was not for Beckon. `hasRead`: whether the
   * person can have read the last reply when they wrote it, where the connector knows.
   */
  say(chatId: string, text: string, who: string, via?: string, hasRead?: boolean): Promise<string | null>;
}

/**
 * Shows interactions to people and brings answers back: a terminal, Telegram. Each method may be called again for the same
 * interaction after a restart, and must not ask a second time then: `show` repaints the copy that is there.
 */
export interface Connector {
  /** Names the place in the log and to people: "answered in the terminal". */
  readonly name: string;
  /** Whether the person of this chat can be reached here. */
  reaches(chatId: string): boolean;
  /** Begins to take answers. */
  start(inbound: Inbound): Promise<void>;
  /** Shows an interaction. Rejects where it could not. */
  show(interaction: Interaction): Promise<void>;
  /** Closes or repaints every copy of a settled interaction: "answered in the terminal by dev@laptop". */
  settle(interaction: Interaction): Promise<void>;
  /** The interactions whose copies an earlier run left open, where it remembers them: some may have ended since. */
  listOpen?(): readonly string[];
  /** Says something in a chat: a request for feedback, a reminder. */
  prompt(chatId: string, text: string): Promise<void>;
  /** Takes no more answers and lets go of everything. */
  stop(): Promise<void>;
}
