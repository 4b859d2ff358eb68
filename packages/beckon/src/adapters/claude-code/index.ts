export { ClaudeHooks, type ClaudeHooksOptions } from './claude-hooks.ts';
