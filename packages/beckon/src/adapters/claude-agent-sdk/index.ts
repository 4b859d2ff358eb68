// Any name added here becomes public API.
export { type AgentOptions, canUseTool, onElicitation } from './can-use-tool.ts';
export type {
  CanUseTool,
  CanUseToolContext,
  ElicitationRequest,
  ElicitationResult,
  OnElicitation,
  PermissionResult,
  PermissionUpdate,
} from './sdk-types.ts';
export type { AgentCall, AgentContext } from './surroundings.ts';
