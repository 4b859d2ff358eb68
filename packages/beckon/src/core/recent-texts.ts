import type { Interaction } from '../protocol/interaction.ts';
import { normalise, toApprovalDecision } from './words.ts';

/** For so long, in milliseconds, the same words of the same person are the same text, sent twice. */
const REPEAT_MS = 10_000;

/** A text that somebody typed in a chat. */
export interface Said {
  chatId: string;
  text: string;
  who: string;
}

/**
 * The texts that have answered something a short time ago. A "yes" that was sent twice, by a finger or by a network, is meant for one
 * interaction: it must not answer what was asked in between. Words that mean the same, such as "yes" and "ok", are the same words.
 */
export class RecentTexts {
  readonly #taken = new Map<string, { id: string; at: number }>();

  /** Whether the text was taken a short time ago, for something else than it would answer here. */
  isRepeat(said: Said, target: Pick<Interaction, 'id' | 'awaitingFeedback'>, now: number): boolean {
    const taken = this.#taken.get(toKey(said));
    if (taken === undefined || !isRecent(taken, now)) return false;
    // A "no" that was sent twice asks for feedback once, and is not the feedback.
    return taken.id !== target.id || target.awaitingFeedback;
  }

  /** Remembers a text before it is sent, so that its twin finds it. Where it answers nothing after all, call what is returned. */
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

// Even if the clock was set back: how long ago it was is unknown then, but it cannot be long.
function isRecent({ at }: { at: number }, now: number): boolean {
  return Math.abs(now - at) < REPEAT_MS;
}

function toKey({ chatId, text, who }: Said): string {
  return JSON.stringify([chatId, who, toApprovalDecision(text) ?? `"${normalise(text)}"`]);
}
