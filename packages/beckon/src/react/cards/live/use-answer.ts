import { useCallback } from 'react';
import type { AnswerResult, Beckon } from '../../../core/beckon.ts';
import type { AnswerInput } from '../../../protocol/index.ts';

/**
 * Sends answers. It asks nobody whether the press counts: `RequestCard` does that before it calls `onAnswer`. Over the
 * network the token says who answers; `who` is kept beside it, as what your app says.
 *
 * @example
 * ```tsx
 * const answer = useAnswer(beckon, { who: 'ada' });
 * return <RequestCard interaction={request} onAnswer={(given) => answer(request.id, given)} />;
 * ```
 */
export function useAnswer(
  beckon: Beckon,
  { who }: { who: string },
): (id: string, answer: AnswerInput) => Promise<AnswerResult> {
  return useCallback((id, answer) => beckon.answer(id, answer, { who, via: 'api' }), [beckon, who]);
}
