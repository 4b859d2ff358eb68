import { toVisible, toVisibleLine } from '../presentation/visible.ts';
import type { Json, JsonObject } from '../protocol/json.ts';
import { isObject } from './json-text.ts';

type Plain = string | number | boolean | null;

/** Something in a tree of components that a person can choose. */
export interface ComponentAction {
  label: string;
  action: string;
  data: Json;
  /** The id of the component that it belongs to, where that has one. */
  component?: string;
}

/** A tree of components as text, ready for a terminal: what it says, indented as it is nested. */
export function describeComponents(tree: Json): string {
  return toLines(tree, 0).join('\n');
}

/** What can be chosen in a tree: buttons, suggestions, and whatever else names an action. */
export function findActions(tree: Json): ComponentAction[] {
  return collectActions(tree, undefined);
}

/** The first title in a tree, from top to bottom. */
export function findTitle(tree: Json): string | undefined {
  if (!isObject(tree)) {
    return Array.isArray(tree) ? tree.map(findTitle).find((title) => title !== undefined) : undefined;
  }
  return (
    findLabel(tree) ??
    Object.values(tree)
      .map(findTitle)
      .find((title) => title !== undefined)
  );
}

function toLines(node: Json, depth: number): string[] {
  const indent = '  '.repeat(depth);
  if (Array.isArray(node)) return node.flatMap((child) => toLines(child, depth));
  if (!isObject(node)) return toText(node, indent);
  const { type, ...rest } = node;
  const head = typeof type === 'string' ? [`${indent}[${toVisibleLine(type, undefined, 'code')}]`] : [];
  const inner = head.length === 0 ? depth : depth + 1;
  return [...head, ...Object.entries(rest).flatMap(([name, value]) => toField(name, value, inner))];
}

function toField(name: string, value: Json, depth: number): string[] {
  const indent = '  '.repeat(depth);
  const label = `${indent}${toVisibleLine(name, undefined, 'code')}:`;
  if (isPlainList(value)) return [`${label} ${value.map((item) => toVisibleLine(String(item))).join(', ')}`];
  // Rows of a table and items of a list: one a line.
  if (Array.isArray(value)) return [label, ...value.flatMap((item) => toItem(item, depth + 1))];
  if (isObject(value)) return [label, ...toLines(value, depth + 1)];
  const [first = '', ...more] = toText(value, '');
  return more.length === 0 ? [`${label} ${first}`] : [label, ...[first, ...more].map((line) => `${indent}  ${line}`)];
}

function toItem(item: Json, depth: number): string[] {
  const indent = '  '.repeat(depth);
  if (isPlainList(item)) return [`${indent}- ${item.map((cell) => toVisibleLine(String(cell))).join(' | ')}`];
  const lines = toLines(item, depth + 1);
  return lines.map((line, index) => (index === 0 ? `${indent}- ${line.trimStart()}` : line));
}

function toText(value: Plain, indent: string): string[] {
  return toVisible(String(value))
    .split('\n')
    .map((line) => `${indent}${line}`);
}

function isPlainList(value: Json): value is Plain[] {
  return Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null);
}

function collectActions(node: Json, owner: string | undefined): ComponentAction[] {
  if (Array.isArray(node)) return node.flatMap((child) => collectActions(child, owner));
  if (!isObject(node)) return [];
  const id = typeof node['id'] === 'string' ? node['id'] : owner;
  const own = toAction(node, id);
  const suggested = node['type'] === 'suggestions' ? toSuggestions(node, id) : [];
  const below = Object.entries(node).flatMap(([name, value]) =>
    suggested.length > 0 && Array.isArray(value) && name !== 'children' ? [] : collectActions(value, id),
  );
  return [...own, ...suggested, ...below];
}

function toAction(node: JsonObject, component: string | undefined): ComponentAction[] {
  const { action } = node;
  if (typeof action !== 'string' || action === '') return [];
  const label = findLabel(node) ?? action;
  return [{ label, action, data: node['data'] ?? { label }, ...(component !== undefined && { component }) }];
}

function toSuggestions(node: JsonObject, component: string | undefined): ComponentAction[] {
  const items = Object.values(node).find((value) => Array.isArray(value)) ?? [];
  return (items as Json[]).flatMap((item) => {
    const label = typeof item === 'string' ? item : isObject(item) ? findLabel(item) : undefined;
    if (label === undefined) return [];
    return [{ label, action: 'select', data: item, ...(component !== undefined && { component }) }];
  });
}

function findLabel(node: JsonObject): string | undefined {
  const found = ['label', 'title', 'text', 'name'].map((name) => node[name]).find((text) => typeof text === 'string');
  return typeof found === 'string' && found !== '' ? found : undefined;
}
