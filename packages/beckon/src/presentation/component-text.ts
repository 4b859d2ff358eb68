import { isObject, type Json } from '../protocol/json.ts';
import { toVisible, toVisibleLine } from './visible.ts';

type Plain = string | number | boolean | null;

/** A tree of components as text, ready to be shown, indented as it is nested. */
export function describeComponents(tree: Json): string {
  return toLines(tree, 0).join('\n');
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
  // Rows of a table and items of a list get a line each.
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
