import { isSameJson } from '../../core/same-json.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import type { Interaction, InteractionOf } from '../../protocol/interaction.ts';
import type { HookDialect } from './hook-dialect.ts';
import type { Hook, PostToolUse } from './hook-payload.ts';

/** How to end an interaction that was settled in the terminal. Without an answer it is superseded. */
export interface Settlement {
  id: string;
  groupId?: string | undefined;
  answer?: AnswerInput;
  reason: string;
}

/** Which events end a turn, by dialect. */
type TurnEnds = Pick<HookDialect, 'turnEnds' | 'softTurnEnds'>;

/** Whether what the agent asked before is over after this event. */
export function endsTurn(event: string, { turnEnds, softTurnEnds }: TurnEnds): boolean {
  return turnEnds.has(event) || softTurnEnds?.has(event) === true || event === 'SessionEnd';
}

/** When a hook happened, in milliseconds: by Beckon's clock and, if it said so, by that of the agent's machine. */
export interface HookTime {
  here: number;
  there?: number | undefined;
}

/**
 * What a hook says about its session's pending interactions. Hooks may overtake each other, so only what was asked
 * before it happened counts. Deferred requests wait until the session is resumed.
 */
export function findSettled(
  { event, hook }: Hook,
  pending: readonly Interaction[],
  { at, ends }: { at: HookTime; ends: TurnEnds },
): Settlement[] {
  // A tool that ran was allowed before it started.
  const tookMs = event === 'PostToolUse' ? (hook.duration_ms ?? 0) : 0;
  const open = pending.filter((one) => one.metadata?.['deferred'] !== true && wasAskedBefore(one, at, tookMs));
  const ofAgent = open.filter(({ metadata }) => metadata?.['agentId'] === hook.agent_id);
  if (event === 'PostToolUse') return findCall(ofAgent, hook).map((one) => toSettlement(one, hook));
  if (event !== 'other') return [];
  const reason = `The session went on (${hook.hook_event_name})`;
  if (hook.hook_event_name === 'SessionEnd')
    return open.map(({ id, groupId }) => ({ id, groupId, reason: 'The session ended' }));
  return endsTurn(hook.hook_event_name, ends) ? ofAgent.map(({ id, groupId }) => ({ id, groupId, reason })) : [];
}

// The agent's own clock knows the order even if one of the two hooks took seconds to arrive.
function wasAskedBefore({ metadata, createdAt }: Interaction, { here, there }: HookTime, tookMs: number): boolean {
  const asked = metadata?.['happenedAt'];
  if (there !== undefined && typeof asked === 'number') return asked <= there - tookMs;
  return Date.parse(createdAt) <= here - tookMs;
}

/** The interactions of the call that ran. Among identical calls without an id, that is the one asked first. */
function findCall(pending: readonly Interaction[], hook: PostToolUse): Interaction[] {
  const alike = pending.filter((one) => belongsTo(one, hook));
  const first = alike.toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1))[0];
  return alike.filter(({ groupId }) => groupId === first?.groupId);
}

function belongsTo(interaction: Interaction, hook: PostToolUse): boolean {
  const toolUseId = interaction.metadata?.['toolUseId'];
  if (toolUseId !== undefined && hook.tool_use_id !== undefined) return toolUseId === hook.tool_use_id;
  switch (interaction.kind) {
    case 'question':
      return hook.tool_name === 'AskUserQuestion' && hasQuestion(hook, interaction.request.question);
    case 'plan_review':
      // Claude Code omits the input of this event.
      return hook.tool_name === 'ExitPlanMode';
    case 'approval':
      return hook.tool_name === interaction.request.tool && isSameJson(hook.tool_input, interaction.request.input);
    default:
      return false;
  }
}

function hasQuestion({ tool_input: { questions } }: PostToolUse, text: string): boolean {
  return Array.isArray(questions) && questions.some((one) => readField(one, 'question') === text);
}

function toSettlement(interaction: Interaction, hook: PostToolUse): Settlement {
  const answer = toAnswer(interaction, hook);
  const { id, groupId } = interaction;
  return { id, groupId, reason: 'Settled in the terminal', ...(answer !== undefined && { answer }) };
}

function toAnswer(interaction: Interaction, hook: PostToolUse): AnswerInput | undefined {
  switch (interaction.kind) {
    case 'approval':
      // Whether it succeeded or failed, it ran, so somebody allowed it.
      return { decision: 'allow' };
    case 'question':
      return toQuestionAnswer(interaction, hook);
    case 'plan_review':
      return toPlanAnswer(interaction, hook);
    default:
      return undefined;
  }
}

function toQuestionAnswer({ request }: InteractionOf<'question'>, hook: PostToolUse): AnswerInput | undefined {
  const text = readField(hook.tool_input['answers'], request.question);
  if (typeof text !== 'string' || text === '') return undefined;
  const notes = readField(readField(hook.tool_input['annotations'], request.question), 'notes');
  const labels = new Set(request.options.map(({ label }) => label));
  const parts = request.multiSelect === true ? text.split(', ') : [text];
  return {
    ...(parts.every((part) => labels.has(part)) ? { selected: parts } : { text }),
    ...(typeof notes === 'string' && { notes }),
  };
}

function toPlanAnswer({ request }: InteractionOf<'plan_review'>, hook: PostToolUse): AnswerInput | undefined {
  if (hook.hook_event_name !== 'PostToolUse') return undefined;
  const plan = readField(hook.tool_response, 'plan');
  return {
    decision: hook.permission_mode === 'acceptEdits' ? 'edit' : 'default',
    ...(typeof plan === 'string' && plan !== request.plan && { editedPlan: plan }),
  };
}

function readField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
