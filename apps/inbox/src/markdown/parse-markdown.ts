import type { Element, ElementContent, Root, RootContent } from 'hast';
import type { Root as MarkdownRoot, Nodes } from 'mdast';
import Markdown from 'react-markdown';
import rehypeSanitize, { type Options as Schema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { type MarkdownElement, type MarkdownNode, TAGS, type Tag } from './markdown-tree.ts';

/** More elements than this make a page slow; such a text is shown as it was written. */
const MOST_ELEMENTS = 10_000;
/** Elements inside each other. Nobody reads deeper, and browsers slow down. */
const MOST_LEVELS = 40;

/**
 * Reads Markdown into a tree of known elements. HTML in it is text, and so is what would otherwise be left out: comments, and
 * definitions that nothing refers to. `null` where it is too large or too deep. Slow texts exist that take minutes; it belongs into a worker.
 */
export function parseMarkdown(text: string): MarkdownNode[] | null {
  let tree: Root = { type: 'root', children: [] };
  const capture = () => (root: Root) => {
    tree = root;
    return { type: 'root' as const, children: [] };
  };
  try {
    // Called as the plain function it is: what React would draw is left empty, the tree is what counts.
    Markdown({
      children: text,
      remarkPlugins: [remarkGfm, () => (root: MarkdownRoot) => showUnused(root, text)],
      rehypePlugins: [() => showHtml, [rehypeSanitize, SCHEMA], capture],
    });
    return toNodes(tree.children, { elements: MOST_ELEMENTS, headings: [] }, 0);
  } catch (error) {
    // Too deep for a recursive parser, or for us.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** No class, id, name or style of an agent's text gets through, and no element that the page does not draw itself. */
const SCHEMA: Schema = {
  tagNames: ['h1', ...TAGS],
  attributes: {
    a: ['href'],
    img: ['src', 'alt'],
    input: [['type', 'checkbox'], 'checked', ['disabled', true]],
    ol: ['start'],
    th: [['align', 'left', 'center', 'right']],
    td: [['align', 'left', 'center', 'right']],
  },
  protocols: { href: ['http', 'https', 'mailto'], src: ['http', 'https', 'data'] },
  required: { input: { type: 'checkbox', disabled: true } },
  ancestors: { tr: ['table'], td: ['table'], th: ['table'], thead: ['table'], tbody: ['table'] },
  clobber: [],
  strip: [],
};

function showHtml(node: Root | Element): void {
  for (const [index, child] of node.children.entries()) {
    if (child.type === 'raw') node.children[index] = { type: 'text', value: child.value };
    else if (child.type === 'element') showHtml(child);
  }
}

// An agent reads a definition that nothing refers to; the person who reviews the text must see it too.
function showUnused(root: MarkdownRoot, source: string): void {
  const used = new Set<string>();
  const collect = (node: Nodes): void => {
    if (node.type === 'linkReference' || node.type === 'imageReference') used.add(`definition ${node.identifier}`);
    if (node.type === 'footnoteReference') used.add(`footnoteDefinition ${node.identifier}`);
    if ('children' in node) for (const child of node.children) collect(child);
  };
  const replace = (parent: Nodes): void => {
    if (!('children' in parent)) return;
    for (const [index, child] of parent.children.entries()) {
      const isDefinition = child.type === 'definition' || child.type === 'footnoteDefinition';
      if (isDefinition && !used.delete(`${child.type} ${child.identifier}`)) {
        const { start, end } = child.position ?? {};
        const value = source.slice(start?.offset ?? 0, end?.offset ?? 0);
        parent.children[index] = { type: 'code', value };
      } else {
        replace(child);
      }
    }
  };
  collect(root);
  replace(root);
}

interface State {
  /** How many more elements there may be. */
  elements: number;
  /** The ranks, as written, of the headings that the next one is below. */
  headings: number[];
}

function toNodes(children: readonly (RootContent | ElementContent)[], state: State, level: number): MarkdownNode[] {
  if (level > MOST_LEVELS) throw new RangeError('Expected fewer levels.');
  return children.flatMap((child): MarkdownNode[] => {
    if (child.type === 'text') return [child.value];
    if (child.type !== 'element') return [];
    const tag = toHeading(child.tagName, state) ?? child.tagName;
    if (!isTag(tag)) return [];
    state.elements -= 1;
    if (state.elements < 0) throw new RangeError('Expected fewer elements.');
    return [{ ...toElement(tag, child), children: toNodes(child.children, state, level + 1) }];
  });
}

/** The page has one heading of its own; those of a text come below it, without leaving out a level. */
function toHeading(tagName: string, { headings }: State): Tag | undefined {
  const rank = Number(/^h([1-6])$/.exec(tagName)?.[1]);
  if (Number.isNaN(rank)) return undefined;
  while (headings.length > 0 && (headings.at(-1) ?? 0) >= rank) headings.pop();
  headings.push(rank);
  return HEADINGS[headings.length - 1] ?? 'h6';
}

const HEADINGS = ['h2', 'h3', 'h4', 'h5', 'h6'] as const;

function toElement(tag: Tag, { properties }: Element): MarkdownElement {
  const { href, src, alt, checked, start, align } = properties;
  return {
    tag,
    children: [],
    ...(typeof href === 'string' && { href }),
    ...(typeof src === 'string' && { src }),
    ...(typeof alt === 'string' && { alt }),
    ...(tag === 'input' && { checked: checked === true }),
    ...(typeof start === 'number' && { start }),
    ...((align === 'left' || align === 'center' || align === 'right') && { align }),
  };
}

function isTag(name: string): name is Tag {
  return (TAGS as readonly string[]).includes(name);
}
