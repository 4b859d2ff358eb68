import type { Look, Token } from './token.ts';

/** A tree of highlighted code, as `lowlight` gives it. */
export type CodeNode =
  | { type: 'text'; value: string }
  | { type: 'element'; properties: { className?: unknown }; children: readonly CodeNode[] };

/** The looks of the classes of highlight.js; classes without one keep the look around them. */
const LOOKS: Readonly<Record<string, Look>> = {
  'hljs-keyword': 'keyword',
  'hljs-literal': 'keyword',
  'hljs-selector-tag': 'keyword',
  'hljs-tag': 'keyword',
  'hljs-name': 'keyword',
  'hljs-string': 'string',
  'hljs-regexp': 'string',
  'hljs-char': 'string',
  'hljs-link': 'string',
  'hljs-code': 'string',
  'hljs-comment': 'comment',
  'hljs-quote': 'comment',
  'hljs-doctag': 'comment',
  'hljs-number': 'number',
  'hljs-symbol': 'number',
  'hljs-bullet': 'number',
  'hljs-title': 'title',
  'hljs-section': 'title',
  'hljs-selector-id': 'title',
  'hljs-selector-class': 'title',
  'hljs-type': 'type',
  'hljs-built_in': 'type',
  'hljs-class': 'type',
  'hljs-attr': 'attribute',
  'hljs-attribute': 'attribute',
  'hljs-property': 'attribute',
  'hljs-variable': 'attribute',
  'hljs-template-variable': 'attribute',
  'hljs-meta': 'meta',
  'hljs-params': 'attribute',
};

/** Cuts a tree at line ends: the tokens of each line. */
export function cutTree(nodes: readonly CodeNode[]): Token[][] {
  const lines: Token[][] = [[]];
  const add = (length: number, look: Look | null): void => {
    if (length > 0) lines.at(-1)?.push([length, look]);
  };
  const visit = (node: CodeNode, around: Look | null): void => {
    if (node.type === 'element') {
      const look = findLook(node.properties.className) ?? around;
      for (const child of node.children) visit(child, look);
      return;
    }
    for (const [index, part] of node.value.split('\n').entries()) {
      if (index > 0) lines.push([]);
      add(part.length, around);
    }
  };
  for (const node of nodes) visit(node, null);
  return lines;
}

function findLook(classes: unknown): Look | undefined {
  const name = Array.isArray(classes) ? String(classes[0]) : '';
  return Object.hasOwn(LOOKS, name) ? LOOKS[name] : undefined;
}
