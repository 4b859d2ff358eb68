import { isObject, type Json, type JsonObject } from '../protocol/json.ts';

/** Something in a tree of components that a person can choose. */
export interface ComponentAction {
  label: string;
  action: string;
  data: Json;
  /** The id of the component that offers the action, if it has one. */
  component?: string;
}

/** Finds what can be chosen in a tree: buttons, suggestions, and anything else that names an action. */
export function findActions(tree: Json, owner?: string): ComponentAction[] {
  if (Array.isArray(tree)) return tree.flatMap((child) => findActions(child, owner));
  if (!isObject(tree)) return [];
  const component = toText(tree['id']) ?? owner;
  const suggested = tree['type'] === 'suggestions' ? toSuggestions(tree, component) : [];
  const below = Object.entries(tree).flatMap(([name, value]) =>
    suggested.length > 0 && Array.isArray(value) && name !== 'children' ? [] : findActions(value, component),
  );
  return [...toAction(tree, component), ...suggested, ...below];
}

/** Finds the first title in a tree, from top to bottom. */
export function findTitle(tree: Json): string | undefined {
  if (Array.isArray(tree)) return findFirstTitle(tree);
  return isObject(tree) ? (findLabel(tree) ?? findFirstTitle(Object.values(tree))) : undefined;
}

function findFirstTitle(children: readonly Json[]): string | undefined {
  for (const child of children) {
    const title = findTitle(child);
    if (title !== undefined) return title;
  }
  return undefined;
}

function toAction(node: JsonObject, component: string | undefined): ComponentAction[] {
  const action = toText(node['action']);
  if (action === undefined) return [];
  const label = findLabel(node) ?? action;
  return [{ label, action, data: node['data'] ?? { label }, ...(component !== undefined && { component }) }];
}

function toSuggestions(node: JsonObject, component: string | undefined): ComponentAction[] {
  const items = Object.values(node).find((value) => Array.isArray(value)) ?? [];
  return items.flatMap((item) => {
    const label = isObject(item) ? findLabel(item) : toText(item);
    if (label === undefined) return [];
    return [{ label, action: 'select', data: item, ...(component !== undefined && { component }) }];
  });
}

function findLabel({ label, title, text, name }: JsonObject): string | undefined {
  return [label, title, text, name].map(toText).find((found) => found !== undefined);
}

function toText(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
