import { toVisibleLine } from '../presentation/visible.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import type { InteractionOf } from '../protocol/interaction.ts';

/** What a person has chosen or written for a question, before it is sent. */
export interface Draft {
  readonly chosen: ReadonlySet<number>;
  readonly text?: string;
  readonly notes?: string;
  /** Where the cursor is. */
  readonly cursor: number;
}

export type Question = InteractionOf<'question'>;

export const EMPTY_DRAFT: Draft = { chosen: new Set(), cursor: 0 };

/** Chooses an option; of several, chooses it or takes it back. Own words are dropped, because an option is one. */
export function choose({ request }: Question, { notes, chosen }: Draft, index: number): Draft {
  const kept = { ...(notes !== undefined && { notes }), cursor: index };
  if (request.multiSelect !== true) return { ...kept, chosen: new Set([index]) };
  const others = [...chosen].filter((one) => one !== index);
  return { ...kept, chosen: new Set(chosen.has(index) ? others : [...others, index].toSorted((a, b) => a - b)) };
}

/** The answer as it is sent; `null` if nothing has been chosen or written. */
export function toAnswer({ request }: Question, { chosen, text, notes }: Draft): AnswerInput | null {
  const selected = [...chosen].flatMap((index) => request.options[index]?.label ?? []);
  if (text !== undefined) return selected.length === 0 ? { text } : { selected: [...selected, text] };
  if (selected.length === 0) return null;
  return { selected, ...(notes !== undefined && { notes }) };
}

/** The answer in words, ready to be shown; empty if there is none. */
export function describeDraft(question: Question, draft: Draft): string {
  const { text, notes } = draft;
  const labels = [...draft.chosen].flatMap((index) => question.request.options[index]?.label ?? []);
  const said = text === undefined ? labels : [...labels, text];
  const words = [said.join(', '), notes].filter(Boolean).join('; ');
  return toVisibleLine(words, 400);
}
