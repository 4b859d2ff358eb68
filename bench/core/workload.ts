import { toEventHead } from '../../packages/beckon/src/core/judge-answer.ts';
import type { LogEvent } from '../../packages/beckon/src/protocol/events.ts';
import type { AnsweredBy, InteractionOf } from '../../packages/beckon/src/protocol/interaction.ts';

/** A question of everyday size, about 400 bytes as JSON. */
export const REQUEST = {
  question: 'The tests pass and the migration was rehearsed. Deploy to production?',
  header: 'Deploy',
  options: [
    { label: 'Deploy', description: 'Roll out to all regions, one after another' },
    { label: 'Wait', description: 'Ask again in the morning' },
    { label: 'Roll back', description: 'Return to the version of yesterday' },
  ],
};

/** The answer that it gets. */
export const ANSWER = { text: 'Deploy', selected: ['Deploy'] };

/** Who gives it. */
export const ANSWERER: AnsweredBy = { who: 'ada', via: 'bench', kind: 'person' };

/** Ids as long as the product's own and in order of creation, like them. Each call starts its own sequence. */
export function createIds(prefix = '01900000'): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `int_${prefix}-0000-7000-8000-${String(count).padStart(12, '0')}`;
  };
}

/** The question as an interaction that was just asked. */
export function toPending(input: {
  id: string;
  chatId: string;
  sessionId: string;
  createdAt: string;
  expiresAt?: string;
}): InteractionOf<'question'> {
  return { ...input, kind: 'question', request: REQUEST, status: 'pending', awaitingFeedback: false };
}

/** The event that the store appends with a new interaction. */
export function toRequestedEvent(interaction: InteractionOf<'question'>, seq: number): LogEvent {
  const { createdAt, expiresAt } = interaction;
  return {
    seq,
    ...toEventHead(interaction, createdAt),
    type: 'interaction.requested',
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

/** The event that settles it. */
export function toAnsweredEvent(interaction: InteractionOf<'question'>, seq: number, at: string): LogEvent {
  return { seq, ...toEventHead(interaction, at), type: 'interaction.answered', answer: ANSWER, by: ANSWERER };
}
