import { isObject, type Json, type JsonObject } from '../../protocol/json.ts';
import type { CodexRequest } from './messages.ts';
import type { Call } from './to-call.ts';

/** What Codex would remember of an "allow": how it is told, and how people see it beforehand. */
export interface Memory {
  /** How a decision says it; for an MCP tool how long it lasts. */
  how: 'session' | 'always' | { execpolicy_amendment: string[] };
  suggestion: JsonObject;
}

/** The narrowest thing that Codex offers to remember; `null` if it offers nothing. */
export function toMemory(request: CodexRequest, { tool, input }: Call): Memory | null {
  switch (request.method) {
    case 'item/commandExecution/requestApproval': {
      const { availableDecisions: decisions, proposedExecpolicyAmendment: words } = request.params;
      if (words && words.length > 0 && offers(decisions, 'acceptWithExecpolicyAmendment')) {
        return { how: { execpolicy_amendment: words }, suggestion: toRule('userSettings', tool, toPrefix(words)) };
      }
      if (!offers(decisions, 'acceptForSession')) return null;
      const what = input['command'] ?? input['host'];
      return { how: 'session', suggestion: toRule('session', tool, typeof what === 'string' ? what : undefined) };
    }
    case 'item/fileChange/requestApproval':
      return { how: 'session', suggestion: toRule('session', tool) };
    case 'item/permissions/requestApproval':
      return { how: 'session', suggestion: toRule('session', tool) };
    case 'mcpServer/elicitation/request': {
      const persist = isObject(request.params._meta) ? request.params._meta['persist'] : undefined;
      const how = [persist].flat();
      if (how.includes('session')) return { how: 'session', suggestion: toRule('session', tool) };
      return how.includes('always') ? { how: 'always', suggestion: toRule('userSettings', tool) } : null;
    }
    case 'item/tool/requestUserInput':
      return null;
  }
}

// An older server does not say what it offers.
function offers(decisions: readonly Json[] | null | undefined, name: string): boolean {
  return decisions?.some((one) => one === name || (isObject(one) && Object.hasOwn(one, name))) ?? true;
}

// The rule of Codex is for every command that begins with these words.
function toPrefix(words: readonly string[]): string {
  return `${words.map((word) => (/^[\w./=:,+@%-]+$/.test(word) ? word : JSON.stringify(word))).join(' ')}:*`;
}

function toRule(destination: 'session' | 'userSettings', toolName: string, ruleContent?: string): JsonObject {
  const rule = { toolName, ...(ruleContent !== undefined && { ruleContent }) };
  return { type: 'addRules', rules: [rule], behavior: 'allow', destination };
}
