import type { Interaction, InteractionOf } from '../../protocol/interaction.ts';
import type {
  CommandExecutionRequestApprovalResponse,
  FileChangeRequestApprovalResponse,
  McpServerElicitationRequestResponse,
  PermissionsRequestApprovalResponse,
  ToolRequestUserInputResponse,
} from './codex-types.ts';
import type { CodexRequest } from './messages.ts';
import { toMemory } from './remember.ts';
import type { Call } from './to-call.ts';

/** What Codex is told. `steer` is a message of the person, which the model reads with the refusal. */
export interface Reply {
  result:
    | CommandExecutionRequestApprovalResponse
    | FileChangeRequestApprovalResponse
    | McpServerElicitationRequestResponse
    | PermissionsRequestApprovalResponse
    | ToolRequestUserInputResponse;
  steer?: string;
  /** The call runs. */
  isAllowed?: true;
}

/**
 * What Codex is told about a request that people were asked. `null`: nothing, and its terminal goes on asking, because
 * no answer is never consent.
 */
export function toReply(request: CodexRequest, call: Call | null, settled: readonly Interaction[]): Reply | null {
  const [first] = settled;
  if (first === undefined) return null;
  if (settled.some(({ status }) => status === 'cancelled')) return toCancellation(request);
  if (settled.some(({ status }) => status !== 'answered')) return null;
  if (first.kind === 'approval') return toDecision(request, call, first);
  if (first.kind === 'form') return toFilledIn(first);
  return request.method === 'item/tool/requestUserInput' ? toAnswers(request.params.questions, settled) : null;
}

/** The refusal of a call, with why. `null` for what cannot be refused. */
export function toRefusal(request: CodexRequest, why: string | undefined): Reply | null {
  const steer = why === undefined || why.trim() === '' || request.params.turnId === null ? {} : { steer: why };
  switch (request.method) {
    case 'item/commandExecution/requestApproval':
    case 'item/fileChange/requestApproval':
      return { result: { decision: 'decline' }, ...steer };
    case 'mcpServer/elicitation/request':
      return { result: { action: 'decline', content: null, _meta: null }, ...steer };
    case 'item/permissions/requestApproval':
      return { result: { permissions: {}, scope: 'turn' }, ...steer };
    case 'item/tool/requestUserInput':
      return null;
  }
}

function toCancellation({ method }: CodexRequest): Reply | null {
  switch (method) {
    case 'item/commandExecution/requestApproval':
    case 'item/fileChange/requestApproval':
      return { result: { decision: 'cancel' } };
    case 'mcpServer/elicitation/request':
      return { result: { action: 'cancel', content: null, _meta: null } };
    default:
      return null;
  }
}

function toDecision(request: CodexRequest, call: Call | null, { answer }: InteractionOf<'approval'>): Reply | null {
  if (answer === undefined || call === null) return null;
  if (answer.decision === 'deny') return toRefusal(request, answer.message);
  const how = answer.remember === true ? toMemory(request, call)?.how : undefined;
  const allowed = { isAllowed: true } as const;
  switch (request.method) {
    case 'item/commandExecution/requestApproval': {
      if (typeof how === 'object') return { result: { decision: { acceptWithExecpolicyAmendment: how } }, ...allowed };
      return { result: { decision: how === undefined ? 'accept' : 'acceptForSession' }, ...allowed };
    }
    case 'item/fileChange/requestApproval':
      return { result: { decision: how === undefined ? 'accept' : 'acceptForSession' }, ...allowed };
    case 'mcpServer/elicitation/request': {
      const meta = typeof how === 'string' ? { persist: how } : null;
      return { result: { action: 'accept', content: {}, _meta: meta }, ...allowed };
    }
    case 'item/permissions/requestApproval': {
      const { permissions } = request.params;
      // Only what was asked for, and what it does not ask for is left out.
      const granted = Object.fromEntries(Object.entries(permissions).filter(([, value]) => value !== null));
      return { result: { permissions: granted, scope: how === undefined ? 'turn' : 'session' }, ...allowed };
    }
    case 'item/tool/requestUserInput':
      return null;
  }
}

function toFilledIn({ answer }: InteractionOf<'form'>): Reply | null {
  return answer === undefined ? null : { result: { action: 'accept', content: answer.values, _meta: null } };
}

function toAnswers(questions: readonly { id: string }[], settled: readonly Interaction[]): Reply | null {
  const answers = settled.map((one, index) => {
    const id = questions[index]?.id;
    return one.kind === 'question' && one.answer !== undefined && id !== undefined
      ? ([id, { answers: toTexts(one.answer) }] as const)
      : null;
  });
  if (answers.length !== questions.length || !answers.every((entry) => entry !== null)) return null;
  // A question may be called "__proto__", which `fromEntries` treats like any other key.
  return { result: { answers: Object.fromEntries(answers) } };
}

// Codex's own terminal sends remarks this way.
function toTexts({ text, selected, notes }: NonNullable<InteractionOf<'question'>['answer']>): string[] {
  const chosen = selected !== undefined && selected.length > 0 ? selected : [text];
  return [...chosen, ...(notes === undefined || notes === '' ? [] : [`user_note: ${notes}`])];
}
