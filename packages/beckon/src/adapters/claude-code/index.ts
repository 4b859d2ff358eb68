export { ClaudeHooks } from './claude-hooks.ts';
