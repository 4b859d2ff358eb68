// Any name added here becomes public API.
export type { AgentOptions } from './ask-and-wait.ts';
export { canUseTool, onElicitation } from './can-use-tool.ts';
export type {
  CanUseTool,
  CanUseToolContext,
  ElicitationRequest,
  ElicitationResult,
  OnElicitation,
  PermissionResult,
  PermissionUpdate,
} from './sdk-types.ts';
