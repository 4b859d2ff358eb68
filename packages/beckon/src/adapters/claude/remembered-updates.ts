import type { JsonObject } from '../../protocol/json.ts';

/**
 * The permission updates that "remember" stands for, which the person sees beforehand. The narrowest known ones: rules
 * that Claude Code suggests, else a rule for exactly this command, else what it suggests for the session, else the
 * tool.
 */
export function toRememberedUpdates(
  tool: string,
  input: JsonObject,
  suggestions: readonly JsonObject[] = [],
): JsonObject[] {
  const rules = suggestions.filter(({ type, behavior }) => type === 'addRules' && behavior === 'allow');
  if (rules.length > 0) return rules;
  const command = tool === 'Bash' ? input['command'] : undefined;
  if (typeof command === 'string' && isPlain(command)) return [toRule(tool, command)];
  if (suggestions.length > 0) return [...suggestions];
  return tool.startsWith('mcp__') ? [toRule(tool)] : [];
}

// In a rule an asterisk matches anything, and a command of several parts is matched part by part, so neither can be
// remembered exactly.
function isPlain(command: string): boolean {
  return command.trim() !== '' && !/[*;&|<>`$()\n\\]/.test(command);
}

function toRule(toolName: string, ruleContent?: string): JsonObject {
  return {
    type: 'addRules',
    rules: [{ toolName, ...(ruleContent !== undefined && { ruleContent }) }],
    behavior: 'allow',
    destination: 'localSettings',
  };
}
