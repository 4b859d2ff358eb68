import type { AskInput } from '../../protocol/interaction.ts';
import { toToolRequests } from '../claude/tool-requests.ts';
import type { HookDialect } from './hook-dialect.ts';
import type { PermissionRequest, PreToolUse } from './hook-payload.ts';

/** What a call needs from people, with what its client can do with their answers. Throws `invalid_input`. */
export function toRequests(
  hook: PermissionRequest | PreToolUse,
  { abilities, isLeft }: Pick<HookDialect, 'abilities' | 'isLeft'>,
): AskInput[] {
  const { tool_name: tool, tool_input: input } = hook;
  if (isLeft?.(tool) === true) return [];
  const suggestions = hook.hook_event_name === 'PermissionRequest' ? hook.permission_suggestions : undefined;
  return toToolRequests({ tool, input, suggestions }).map((asked) => {
    switch (asked.kind) {
      case 'question':
        return withAbilities(asked, abilities.question);
      case 'plan_review':
        return withAbilities(asked, abilities.plan_review);
      case 'approval':
        return withAbilities(toOwnApproval(asked, hook, abilities.approval), abilities.approval);
      default:
        return asked;
    }
  });
}

type Approval = Extract<AskInput, { kind: 'approval' }>;

function toOwnApproval(
  asked: Approval,
  { description }: PermissionRequest | PreToolUse,
  can: HookDialect['abilities']['approval'],
): Approval {
  const { suggestions, ...rest } = asked.request;
  const request = {
    ...rest,
    ...(suggestions !== undefined && can?.remember !== false && { suggestions }),
    // Not part of the input where the client repeats the call without it.
    ...(typeof description === 'string' && description !== '' && { description }),
  };
  return { ...asked, request };
}

function withAbilities<Ask extends AskInput>(asked: Ask, abilities: object | undefined): Ask {
  return abilities === undefined ? asked : { ...asked, request: { ...asked.request, abilities } };
}
