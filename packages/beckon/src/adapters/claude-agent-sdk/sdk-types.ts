// The used shapes of @anthropic-ai/claude-agent-sdk, compatible with its types without importing them.

/** A change of Claude's permissions, such as a rule to remember. */
// oxlint-disable-next-line typescript/no-explicit-any -- the SDK's own union, which its types check where it is used
export type PermissionUpdate = any;

/** What the SDK says about a tool call. */
export interface CanUseToolContext {
  signal: AbortSignal;
  suggestions?: PermissionUpdate[];
  toolUseID: string;
  agentID?: string;
}

export type PermissionResult =
  | { behavior: 'allow'; updatedInput?: Record<string, unknown>; updatedPermissions?: PermissionUpdate[] }
  | { behavior: 'deny'; message: string };

/** What `query({ options: { canUseTool } })` takes. */
export type CanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  context: CanUseToolContext,
) => Promise<PermissionResult>;

/** What an MCP server wants to know. */
export interface ElicitationRequest {
  message: string;
  mode?: string;
  requestedSchema?: Record<string, unknown>;
}

/** A type, not an interface: the SDK's own result takes further fields, and only a type fits that. */
export type ElicitationResult = {
  action: 'accept' | 'decline' | 'cancel';
  // oxlint-disable-next-line typescript/no-explicit-any -- any JSON that fits the form
  content?: Record<string, any>;
};

/** What `query({ options: { onElicitation } })` takes. */
export type OnElicitation = (
  request: ElicitationRequest,
  context: { signal: AbortSignal },
) => Promise<ElicitationResult>;
