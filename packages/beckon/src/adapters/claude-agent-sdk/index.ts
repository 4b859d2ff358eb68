// Any name added here becomes public API.

export type { AgentCall } from '../claude/surroundings.ts';
export { type AgentContext, type AgentOptions, canUseTool, onElicitation } from './can-use-tool.ts';
export type {
  CanUseTool,
  CanUseToolContext,
  ElicitationRequest,
  ElicitationResult,
  OnElicitation,
  PermissionResult,
  PermissionUpdate,
} from './sdk-types.ts';
