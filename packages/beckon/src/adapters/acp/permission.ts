import { PLAN_DECISIONS, type PlanDecision } from '../../protocol/answers.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { ownText } from '../../protocol/tool-input.ts';
import { APPROVAL_ABILITIES, PLAN_ABILITIES } from './abilities.ts';
import { ownObject, ownString, type PermissionOption, type ToolCall, textOf } from './messages.ts';
import { nameCall } from './tool-call.ts';
import type { Translated } from './translated.ts';

type Options = readonly PermissionOption[];

/** The result that allows nothing. */
export const CANCELLED: JsonObject = { outcome: { outcome: 'cancelled' } };

/** A permission for a tool call; `null` if it has no option that allows just this call. */
export function toApproval(call: ToolCall, options: Options, agent: string): Translated | null {
  const once = options.find(({ kind }) => kind === 'allow_once');
  if (once === undefined) return null;
  const reject = findReject(options);
  const always = findNarrowest(options.filter(({ kind }) => kind === 'allow_always'));
  const named = nameCall(call, agent);
  const { tool, input, description } = named;
  const request = {
    tool,
    input,
    ...(description !== undefined && { description }),
    ...(always !== undefined && { suggestions: [{ option: always.name, optionId: always.optionId }] }),
    abilities: { ...APPROVAL_ABILITIES, remember: always !== undefined },
  };
  return {
    asks: [{ kind: 'approval', request }],
    call: named,
    refusal: toRefusal(reject),
    toResult([settled]) {
      if (settled?.kind !== 'approval' || settled.status !== 'answered' || settled.answer === undefined) return null;
      const { decision, remember } = settled.answer;
      if (decision === 'deny') return toRefusal(reject);
      return toSelected(remember === true && always !== undefined ? always : once);
    },
    toAnswers(result) {
      const chosen = findChosen(options, result);
      if (chosen === undefined) return null;
      if (chosen.kind.startsWith('reject')) return [{ decision: 'deny' }];
      if (chosen.kind !== 'allow_always') return [{ decision: 'allow' }];
      // Another "always" than the one that people were shown is not what Beckon calls "remember".
      return [{ decision: 'allow', ...(chosen.optionId === always?.optionId && { remember: true }) }];
    },
  };
}

/** A plan to be reviewed; `null` if no option accepts it with edits approved by hand. */
export function toPlanReview(call: ToolCall, options: Options): Translated | null {
  const byDecision = toPlanOptions(options);
  const { default: byHand, adjust } = byDecision;
  if (byHand === undefined) return null;
  const { rawInput = {}, content = [] } = call;
  const shown = content.map((part) => textOf(part.content)).filter((text) => text !== '');
  const plan = ownText(rawInput, 'plan') ?? (shown.join('\n\n') || call.title || '');
  const decisions = PLAN_DECISIONS.filter((one) => one === 'adjust' || byDecision[one] !== undefined);
  const refusal = toRefusal(adjust);
  return {
    asks: [
      { kind: 'plan_review', request: { plan, toolInput: rawInput, abilities: { ...PLAN_ABILITIES, decisions } } },
    ],
    refusal,
    toResult([settled]) {
      if (settled?.kind !== 'plan_review' || settled.status !== 'answered' || settled.answer === undefined) return null;
      const { decision } = settled.answer;
      if (decision === 'adjust') return refusal;
      // What the agent does not tell apart is the careful way.
      return toSelected(byDecision[decision] ?? byHand);
    },
    toAnswers(result) {
      const chosen = findChosen(options, result);
      if (chosen === undefined) return null;
      if (chosen.kind.startsWith('reject')) return [{ decision: 'reject' }];
      const decision = decisions.find((one) => byDecision[one]?.optionId === chosen.optionId);
      return decision === undefined ? null : [{ decision }];
    },
  };
}

/** The option that a client chose, if it did. */
export function findChosen(options: Options, result: unknown): PermissionOption | undefined {
  const outcome = ownObject(result, 'outcome');
  if (ownString(outcome, 'outcome') !== 'selected') return undefined;
  return options.find(({ optionId }) => optionId === ownString(outcome, 'optionId'));
}

/** The result that chooses an option, with what else belongs to it. */
export function toSelected({ optionId }: Pick<PermissionOption, 'optionId'>, more: JsonObject = {}): JsonObject {
  return { outcome: { outcome: 'selected', optionId }, ...more };
}

/** The result that chooses to reject, or that allows nothing if that is no option. */
export function toRefusal(reject: PermissionOption | undefined): JsonObject {
  return reject === undefined ? CANCELLED : toSelected(reject);
}

/** The option that rejects just this time. */
export function findReject(options: Options): PermissionOption | undefined {
  return options.find(({ kind }) => kind === 'reject_once');
}

/** Some agents offer to remember for a project or for the user, for a tool or for its whole server. */
function findNarrowest(always: Options): PermissionOption | undefined {
  const isWide = ({ optionId, name }: PermissionOption): boolean =>
    /server|user|save|future/i.test(`${optionId} ${name}`);
  return always.find((option) => !isWide(option)) ?? always[0];
}

/**
 * The options by what they decide. "Accept edits" is only an option that says so: an option for more, such as a mode in
 * which nothing is asked, is left to the client.
 */
function toPlanOptions(options: Options): Partial<Record<PlanDecision, PermissionOption>> {
  const once = options.filter(({ kind }) => kind === 'allow_once');
  const byHand = once.find(({ name }) => /manual/i.test(name)) ?? once[0];
  const edit = options.find(({ kind, name }) => kind === 'allow_always' && /edit/i.test(name) && !/manual/i.test(name));
  const adjust = findReject(options);
  return {
    ...(edit !== undefined && { edit }),
    ...(byHand !== undefined && { default: byHand }),
    ...(adjust !== undefined && { adjust }),
  };
}
