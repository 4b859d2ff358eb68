import type { AskInput } from '../../protocol/interaction.ts';
import { isObject, type JsonObject } from '../../protocol/json.ts';
import { ABILITIES } from './abilities.ts';
import type { CodexRequest } from './messages.ts';
import { toMemory } from './remember.ts';
import { type Call, isToolPermission } from './to-call.ts';

/**
 * What people are asked for a request of Codex: a permission, questions, or a form. Empty if it is for Codex's own
 * terminal alone: secrets, links to open, and calls about which too little is known.
 */
export function toRequests(request: CodexRequest, call: Call | null): AskInput[] {
  if (call !== null) return [{ kind: 'approval', request: toApproval(request, call) }];
  switch (request.method) {
    case 'item/tool/requestUserInput':
      return toQuestions(request.params.questions);
    case 'mcpServer/elicitation/request': {
      const { mode, message, requestedSchema: schema } = request.params;
      if (mode !== 'form' || !isObject(schema) || isToolPermission(request.params)) return [];
      return [{ kind: 'form', request: { message: message ?? '', schema } }];
    }
    default:
      return [];
  }
}

type Approval = AskInput<'approval'>['request'];
type Question = Extract<CodexRequest, { method: 'item/tool/requestUserInput' }>['params']['questions'][number];

function toApproval(request: CodexRequest, call: Call): Approval {
  const memory = toMemory(request, call);
  const suggestions: JsonObject[] = memory === null ? [] : [memory.suggestion];
  return {
    tool: call.tool,
    input: call.input,
    ...(call.description && { description: call.description }),
    ...(suggestions.length > 0 && { suggestions }),
    abilities: {
      ...ABILITIES.approval,
      remember: suggestions.length > 0,
      // A message goes to a turn.
      denyText: request.params.turnId !== null,
    },
  };
}

function toQuestions(questions: readonly Question[]): AskInput[] {
  // Beckon keeps and shows answers, which is nothing for secrets.
  if (questions.some(({ isSecret }) => isSecret)) return [];
  return questions.map(({ header, question, options, isOther }) => ({
    kind: 'question',
    request: {
      question,
      ...(header !== '' && { header }),
      options: (options ?? []).map(({ label, description }) => ({ label, ...(description && { description }) })),
      abilities: { ...ABILITIES.question, ownWords: isOther || (options ?? []).length === 0 },
    },
  }));
}
