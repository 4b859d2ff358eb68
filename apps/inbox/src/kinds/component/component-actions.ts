import type { Json, JsonObject } from 'beckon/protocol';
import { isObject, own, ownText } from '../parts/json-text.ts';

export interface ComponentAction {
  label: string;
  action: string;
  data: Json;
  /** The id of the component around it, if there is one. */
  component?: string;
}

/** Everything that a person can choose in a tree: buttons, suggestions, and whatever else names an action. */
export function findActions(tree: Json, owner?: string): ComponentAction[] {
  if (Array.isArray(tree)) return tree.flatMap((child) => findActions(child, owner));
  if (!isObject(tree)) return [];
  const id = ownText(tree, 'id') ?? owner;
  const suggested = own(tree, 'type') === 'suggestions' ? toSuggestions(tree, id) : [];
  const below = Object.entries(tree).flatMap(([name, value]) =>
    suggested.length > 0 && Array.isArray(value) && name !== 'children' ? [] : findActions(value, id),
  );
  return [...toAction(tree, id), ...suggested, ...below];
}

/** The first title in a tree, from top to bottom. */
export function findTitle(tree: Json): string | undefined {
  if (Array.isArray(tree)) return findFirst(tree);
  return isObject(tree) ? (findLabel(tree) ?? findFirst(Object.values(tree))) : undefined;
}

function findFirst(children: readonly Json[]): string | undefined {
  for (const child of children) {
    const title = findTitle(child);
    if (title !== undefined) return title;
  }
  return undefined;
}

function toAction(node: JsonObject, component: string | undefined): ComponentAction[] {
  const action = ownText(node, 'action');
  if (action === undefined || action === '') return [];
  const label = findLabel(node) ?? action;
  return [{ label, action, data: own(node, 'data') ?? { label }, ...(component !== undefined && { component }) }];
}

function toSuggestions(node: JsonObject, component: string | undefined): ComponentAction[] {
  const items = Object.values(node).find((value) => Array.isArray(value)) ?? [];
  return items.flatMap((item) => {
    const label = typeof item === 'string' ? item : isObject(item) ? findLabel(item) : undefined;
    if (label === undefined) return [];
    return [{ label, action: 'select', data: item, ...(component !== undefined && { component }) }];
  });
}

function findLabel(node: JsonObject): string | undefined {
  const found = ['label', 'title', 'text', 'name'].map((name) => ownText(node, name));
  return found.find((text) => text !== undefined && text !== '');
}
