import { toJsonText, toVisibleLine } from '../../../../presentation/index.ts';
import { isObject, type JsonObject, own, ownText } from '../../../../protocol/index.ts';
import { texts } from './texts.ts';

/** What an agent would remember, one line for each rule. Unknown rules are shown as JSON. */
export function describeSuggestion(suggestion: JsonObject): string[] {
  const option = ownText(suggestion, 'option');
  if (option !== undefined) return [texts.suggestions.option(toVisibleLine(option, 200, 'code'))];
  const destination = ownText(suggestion, 'destination');
  const where =
    destination === undefined ? texts.suggestions.nowhere : lookUp(texts.suggestions.destinations, destination);
  switch (ownText(suggestion, 'type')) {
    case 'addRules': {
      const rules = own(suggestion, 'rules');
      if (!Array.isArray(rules) || rules.length === 0 || !rules.every(isObject)) break;
      const behavior = lookUp(texts.suggestions.behaviors, ownText(suggestion, 'behavior') ?? 'allow');
      return rules.map((rule) => texts.suggestions.rule(behavior, describeRule(rule), where));
    }
    case 'setMode': {
      const mode = ownText(suggestion, 'mode');
      if (mode === undefined) break;
      return [texts.suggestions.setMode(toVisibleLine(mode, 200, 'code'), where)];
    }
    case 'addDirectories': {
      const folders = own(suggestion, 'directories');
      if (!Array.isArray(folders)) break;
      return [
        texts.suggestions.addDirectories(
          folders
            .map((folder) => toVisibleLine(typeof folder === 'string' ? folder : toJsonText(folder), 200, 'code'))
            .join(', '),
          where,
        ),
      ];
    }
    default:
      break;
  }
  return [toVisibleLine(toJsonText(suggestion), 500, 'code')];
}

function describeRule(rule: JsonObject): string {
  const tool = toVisibleLine(ownText(rule, 'toolName') ?? '?', 200, 'code');
  const content = ownText(rule, 'ruleContent');
  return content === undefined ? tool : `${tool}(${toVisibleLine(content, 500, 'code')})`;
}

function lookUp(names: Record<string, string>, name: string): string {
  return Object.hasOwn(names, name) ? (names[name] ?? name) : toVisibleLine(name, 200, 'code');
}
