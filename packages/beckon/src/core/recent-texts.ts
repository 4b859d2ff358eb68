import type { Interaction } from '../protocol/interaction.ts';
import { normalize, toApprovalDecision } from './words.ts';

/** Within this many milliseconds the same words from the same person are one text, sent twice. */
const REPEAT_MS = 10_000;

/** A text that somebody typed in a chat. */
export interface Said {
  chatId: string;
  text: string;
  who: string;
}

/**
 * The texts that answered something a moment ago. A "yes" sent twice, by a finger or a network, is meant for one
 * interaction and must not answer what was asked in between. Words that mean the same, such as "yes" and "ok", count as
 * the same words.
 */
export class RecentTexts {
  readonly #taken = new Map<string, { id: string; at: number }>();

  /** Whether the text answered something else a moment ago. */
  isRepeat(said: Said, target: Pick<Interaction, 'id' | 'awaitingFeedback'>, now: number): boolean {
    const taken = this.#taken.get(toKey(said));
    if (taken === undefined || !isRecent(taken, now)) return false;
    // A "no" sent twice asks for feedback once; the second is not the feedback.
    return taken.id !== target.id || target.awaitingFeedback;
  }

  /** Remembers a text before it answers. If it then answers nothing, call the returned function. */
  take(said: Said, id: string, now: number): () => void {
    for (const [key, taken] of this.#taken) if (!isRecent(taken, now)) this.#taken.delete(key);
    const key = toKey(said);
    const taken = { id, at: now };
    this.#taken.set(key, taken);
    return () => {
      if (this.#taken.get(key) === taken) this.#taken.delete(key);
    };
  }
}

// If the clock was set back, the age is unknown, but it cannot be long.
function isRecent({ at }: { at: number }, now: number): boolean {
  return Math.abs(now - at) < REPEAT_MS;
}

function toKey({ chatId, text, who }: Said): string {
  return JSON.stringify([chatId, who, toApprovalDecision(text) ?? `"${normalize(text)}"`]);
}
