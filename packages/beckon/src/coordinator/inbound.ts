import type { Beckon } from '../core/beckon.ts';
import type { Inbound } from '../core/connector.ts';
import type { TextRouter } from './text-router.ts';

/** Passes on to Beckon what connectors hear. */
export function createInbound(beckon: Beckon, router: TextRouter): Inbound {
  return {
    answer: (id, answer, who, via = 'connector') => beckon.answer(id, answer, { who, via }),
    answerMany: (ids, answer, who, via = 'connector') => beckon.answerMany(ids, answer, { who, via }),
    answerGroup: (groupId, answers, who, via = 'connector') => beckon.answerGroup(groupId, answers, { who, via }),
    get: (id) => beckon.get(id),
    context: (id) => beckon.context(id),
    async say(chatId, text, who, via = 'connector', hasRead) {
      const routed = await router.route(chatId, text, { who, via }, { hasRead });
      return routed.result === 'not_for_us' ? null : routed.reply;
    },
  };
}
