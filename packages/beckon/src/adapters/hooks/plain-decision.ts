import { isSameJson } from '../../core/same-json.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { ToolDecision } from '../claude/tool-decision.ts';

/**
 * A decision for a client that can only run a call as it is, or not. `null` if the person allowed something else than
 * this input: the client must not take that for consent. What it should remember is left out.
 */
export function toPlainDecision(
  decision: ToolDecision,
  input: JsonObject,
): { behavior: 'allow' } | { behavior: 'deny'; message: string } | null {
  if (decision.behavior === 'deny') return decision;
  const { updatedInput = input } = decision;
  return isSameJson(updatedInput, input) ? { behavior: 'allow' } : null;
}
