import { toJsonText, toVisibleLine } from '../presentation/visible.ts';
import { isObject, type JsonObject } from '../protocol/json.ts';

const RULE_CHARS = 300;

/** The rules that an agent would remember, one on each line. */
export function describeRules(suggestions: readonly JsonObject[]): string[] {
  if (suggestions.length === 0) return ['The agent names no rule: it may allow the same call again in this session.'];
  return suggestions.flatMap((suggestion) => {
    const { type, rules, behavior, option } = suggestion;
    if (typeof option === 'string') return [toVisibleLine(`The agent's own choice "${option}"`, RULE_CHARS, 'code')];
    if (type === 'addRules' && behavior === 'allow' && Array.isArray(rules) && rules.every(isObject)) {
      return rules.map((rule) => toVisibleLine(`Allow ${describeRule(rule)}`, RULE_CHARS, 'code'));
    }
    return [toVisibleLine(toJsonText(suggestion), RULE_CHARS, 'code')];
  });
}

function describeRule({ toolName, ruleContent, ...others }: JsonObject): string {
  const content = ruleContent === undefined ? '' : `(${toText(ruleContent)})`;
  const rest = Object.keys(others).length === 0 ? '' : ` ${toJsonText(others)}`;
  return `${toText(toolName)}${content}${rest}`;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : toJsonText(value ?? '?');
}
