import * as z from 'zod/mini';
import { Id } from '../../protocol/ids.ts';
import { type JsonObject, JsonRecord } from '../../protocol/json.ts';
import { parse } from '../../protocol/parse.ts';

const shared = {
  session_id: Id,
  cwd: z.optional(z.string()),
  permission_mode: z.optional(z.string()),
  /** Only in a subagent. */
  agent_id: z.optional(z.string()),
};

const toolCall = { tool_name: z.string().check(z.minLength(1)), tool_input: z._default(JsonRecord, {}) };

const PermissionRequest = z.looseObject({
  ...shared,
  ...toolCall,
  hook_event_name: z.literal('PermissionRequest'),
  permission_suggestions: z.optional(z.array(JsonRecord)),
});

const PreToolUse = z.looseObject({
  ...shared,
  ...toolCall,
  hook_event_name: z.literal('PreToolUse'),
  tool_use_id: Id,
});

const PostToolUse = z.looseObject({
  ...shared,
  ...toolCall,
  hook_event_name: z.enum(['PostToolUse', 'PostToolUseFailure']),
  tool_use_id: z.optional(Id),
  tool_response: z.optional(z.unknown()),
  duration_ms: z.optional(z.number()),
});

const Elicitation = z.looseObject({
  ...shared,
  hook_event_name: z.literal('Elicitation'),
  mcp_server_name: z.string(),
  message: z.string(),
  mode: z.optional(z.string()),
  requested_schema: z.optional(JsonRecord),
});

const AnyHook = z.looseObject({ ...shared, hook_event_name: z.string().check(z.minLength(1)) });

export type PermissionRequest = z.output<typeof PermissionRequest>;
export type PreToolUse = z.output<typeof PreToolUse>;
export type PostToolUse = z.output<typeof PostToolUse>;
export type Elicitation = z.output<typeof Elicitation>;

/** One hook in the common form. Only events that ask for something, or end it, are parsed further. */
export type Hook =
  | { event: 'PermissionRequest'; hook: PermissionRequest }
  | { event: 'PreToolUse'; hook: PreToolUse }
  | { event: 'PostToolUse'; hook: PostToolUse }
  | { event: 'Elicitation'; hook: Elicitation }
  | { event: 'other'; hook: z.output<typeof AnyHook> };

/** Reads a hook in the common form. Fields that a later client adds are kept. Throws `invalid_input`. */
export function parseHook(payload: JsonObject, title: string): Hook {
  const what = `${title} hook`;
  switch (payload['hook_event_name']) {
    case 'PermissionRequest':
      return { event: 'PermissionRequest', hook: parse(PermissionRequest, payload, { what }) };
    case 'PreToolUse':
      return { event: 'PreToolUse', hook: parse(PreToolUse, payload, { what }) };
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return { event: 'PostToolUse', hook: parse(PostToolUse, payload, { what }) };
    case 'Elicitation':
      return { event: 'Elicitation', hook: parse(Elicitation, payload, { what }) };
    default:
      return { event: 'other', hook: parse(AnyHook, payload, { what }) };
  }
}
