import type { AskInput } from '../../protocol/interaction.ts';
import { toToolRequests } from '../claude/tool-requests.ts';
import type { HookDialect } from './hook-dialect.ts';
import type { PermissionRequest, PreToolUse } from './hook-payload.ts';

/** What a call needs from people, with what its client can do with their answers. Throws `invalid_input`. */
export function toRequests(
  hook: PermissionRequest | PreToolUse,
  { abilities, deferredAbilities = abilities, isLeft }: HookDialect,
): AskInput[] {
  const { tool_name: tool, tool_input: input, description } = hook;
  if (isLeft?.(tool) === true) return [];
  const call = { tool, input, ...(typeof description === 'string' && { reason: description }) };
  if (hook.hook_event_name === 'PreToolUse') return toToolRequests(call, deferredAbilities);
  return toToolRequests({ ...call, suggestions: hook.permission_suggestions }, abilities);
}
