import type { AnsweredBy, Settled, Status } from '../protocol/interaction.ts';

/** How a request ends that nobody answered. */
type Unanswered = Exclude<Status, 'pending' | 'answered'>;

/** Nobody answered. It is a value, not an error, and it never counts as any answer. */
export interface NoAnswer {
  /** The request. */
  id: string;
  because: Unanswered;
  /** The same in a sentence, for a person or a model. */
  message: string;
}

/** Who answered: a person, or a rule that a person made. */
export interface ByAnswer {
  /** The request. */
  id: string;
  answeredBy: AnsweredBy;
}

const SENTENCES: Readonly<Record<Unanswered, string>> = {
  expired: 'Nobody answered in time',
  cancelled: 'The request was cancelled without an answer',
  superseded: 'The request ended elsewhere, without an answer here',
};

/** Says that a request has no answer, and why. */
export function toNoAnswer({ id, status, reason }: Pick<Settled, 'id' | 'reason'> & { status: Unanswered }): NoAnswer {
  return { id, because: status, message: withDetails(SENTENCES[status], reason) };
}

/** A sentence, and what somebody said about it. */
export function withDetails(sentence: string, details = ''): string {
  return details.trim() === '' ? `${sentence}.` : `${sentence}: ${details.trim()}`;
}

/** Who answered, in a sentence: "ada", or "a rule of ada". A policy of your own code is "the rule x". */
export function nameAnswerer({ kind, who, via }: AnsweredBy): string {
  if (kind === 'person') return who;
  return via.startsWith('rule:') ? `a rule of ${who}` : `the rule ${who}`;
}
