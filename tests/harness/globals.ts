import { lineOf, type Node, parse, walk } from './imports.ts';

/** The globals that a file touches, written as `name`, `name.member` or `new name()`. */
export function findUses(file: string, source: string): { use: string; line: number }[] {
  const found: { use: string; line: number }[] = [];
  walk(parse(file, source), (node) => {
    const use = describeUse(node);
    if (use) found.push({ use, line: lineOf(source, node) });
  });
  return found;
}

function describeUse(node: Node): string | null {
  if (node.type === 'MemberExpression') {
    const name = nameOf(node['object']);
    const member = nameOf(node['property']);
    return name === 'globalThis' ? member : name && `${name}.${member ?? ''}`;
  }
  const callee = nameOf(node['callee']);
  if (node.type === 'NewExpression' && callee)
    return (node['arguments'] as Node[]).length === 0 ? `new ${callee}()` : `new ${callee}`;
  if (node.type !== 'CallExpression' || !callee) return null;
  return callee === 'Date' ? 'Date()' : callee;
}

function nameOf(node: unknown): string | null {
  const { type, name } = (node ?? {}) as Partial<Node>;
  return type === 'Identifier' && typeof name === 'string' ? name : null;
}
