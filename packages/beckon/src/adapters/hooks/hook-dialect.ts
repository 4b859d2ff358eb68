import type { Interaction } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { ApprovalAbilities, PlanAbilities, QuestionAbilities } from '../../protocol/requests.ts';
import type { ToolDecision } from '../claude/tool-decision.ts';

/** The client goes on as if there were no Beckon. Anything unanswered gives this reply: it is never consent. */
export const NO_OPINION: JsonObject = Object.freeze({});

/**
 * What differs between the clients whose hooks Beckon answers. The hook command loads a dialect on every call, so it
 * must be small and import no schemas.
 */
export interface HookDialect {
  /** The word after `beckon hook`, and the agent's name in the metadata of what it asks. */
  agent: string;
  /** What people call the client: "Claude Code". */
  title: string;
  /** The last part of the address that its hooks are sent to. */
  path: string;
  /** What the client can do with answers, by kind. */
  abilities: {
    question?: QuestionAbilities;
    plan_review?: PlanAbilities;
    approval?: ApprovalAbilities;
  };
  /**
   * Puts a payload into the common form, which is that of Claude Code: `hook_event_name`, `session_id`, `tool_name`,
   * `tool_input` and so on, with tools and inputs that `calls/` and `diff/` know. The engine checks the result. One call
   * must look the same in all events, because that is how they are matched. `event` is its name on the command line, for
   * clients whose payloads lack it. What is in the common form already stays as it is.
   */
  toHook(payload: JsonObject, event?: string): JsonObject;
  /** The reply that says what people decided about a call. `NO_OPINION` if the client cannot do that. */
  toReply(decision: ToolDecision, call: { tool: string; input: JsonObject }): JsonObject;
  /** Whether a reply lets a call run. */
  isAllow(reply: JsonObject): boolean;
  /** Whether calls of a tool, by its common name, are left to the client, which would ask by itself all the same. */
  isLeft?: (tool: string) => boolean;
  /** The reply to the hook before a call. Without it such a hook only reports. */
  toPreToolReply?: (decision: ToolDecision | 'defer' | null) => JsonObject;
  /** The reply with the values of an MCP server's form. Without it forms are not asked. */
  toFormReply?: (settled: Interaction) => JsonObject;
  /** Whether the hook before a call comes before the one that asks, so that it tells the call's id. */
  announcesCalls: boolean;
  /** Events after which nothing that the agent asked before can still be open. `SessionEnd` is one for every client. */
  turnEnds: ReadonlySet<string>;
  /** Events that end only what no hook waits for any more: calls of this client may outlive their turn. */
  softTurnEnds?: ReadonlySet<string>;
  /** Events whose hooks the client waits for. Default: all. */
  awaited?: ReadonlySet<string>;
  /** Events whose hooks can tell the person something. Default: none. */
  telling?: ReadonlySet<string>;
  /** Whether the payload names a transcript that `context/read-transcript.ts` can read. */
  hasTranscript?: boolean;
}

/** The clients that have a dialect, as the hook command names them. */
export const HOOK_AGENTS = ['claude-code', 'codex', 'copilot', 'qwen'] as const;
export type HookAgent = (typeof HOOK_AGENTS)[number];

/** Whether a client has a dialect. */
export function isHookAgent(name: string | undefined): name is HookAgent {
  return HOOK_AGENTS.some((agent) => agent === name);
}
