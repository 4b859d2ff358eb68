import Markdown from 'react-markdown';
import rehypeSanitize, { type Options as Schema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { type MarkdownElement, type MarkdownNode, TAGS, type Tag } from './tree.ts';

/** More elements than this make a page slow. */
const MOST_ELEMENTS = 10_000;
/** Nobody reads elements nested deeper than this, and browsers slow down. */
const MOST_LEVELS = 40;

interface Point {
  offset?: number;
  line?: number;
}

/** As much of a syntax tree, of Markdown or of HTML, as is used here. */
interface Node {
  type: string;
  tagName?: string;
  value?: string;
  identifier?: string;
  properties?: Readonly<Record<string, unknown>>;
  children?: Node[];
  position?: { start?: Point; end?: Point };
}

/**
 * Reads Markdown into a tree of known elements; `null` if it is too large or too deep. HTML becomes text, and so do
 * comments and unused definitions, which Markdown would drop. Some texts take minutes, so pages should call this in a
 * worker.
 */
export function parseMarkdown(text: string, hasLines = false): MarkdownNode[] | null {
  let tree: Node = { type: 'root' };
  const capture = () => (root: Node) => {
    tree = root;
    return { type: 'root' as const, children: [] };
  };
  try {
    // Called as a plain function: only the tree counts, so React gets nothing to draw.
    Markdown({
      children: text,
      remarkPlugins: [remarkGfm, () => (root: Node) => showUnused(root, text)],
      rehypePlugins: [() => showHtml, [rehypeSanitize, SCHEMA], capture],
    });
    return toNodes(tree.children ?? [], { elements: MOST_ELEMENTS, headings: [], hasLines }, 0);
  } catch (error) {
    // Too deep for a recursive parser, or beyond the limits above.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Lets through no class, id, name or style of an agent's text, and no element that nobody draws. */
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

function showHtml(node: Node): void {
  for (const child of node.children ?? []) {
    if (child.type === 'raw') child.type = 'text';
    else showHtml(child);
  }
}

// An agent may act on a definition that nothing refers to, so the person who reviews the text must see it too.
function showUnused(root: Node, source: string): void {
  const used = new Set<string>();
  const collect = ({ type, identifier, children = [] }: Node): void => {
    if (type === 'linkReference' || type === 'imageReference') used.add(`definition ${identifier}`);
    if (type === 'footnoteReference') used.add(`footnoteDefinition ${identifier}`);
    for (const child of children) collect(child);
  };
  const replace = ({ children = [] }: Node): void => {
    for (const [index, child] of children.entries()) {
      const isDefinition = child.type === 'definition' || child.type === 'footnoteDefinition';
      if (isDefinition && !used.delete(`${child.type} ${child.identifier}`)) {
        const { start, end } = child.position ?? {};
        const value = source.slice(start?.offset ?? 0, end?.offset ?? 0);
        children[index] = { type: 'code', value, ...(child.position && { position: child.position }) };
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
  /** The ranks, as written, of the headings above the current place. */
  headings: number[];
  hasLines: boolean;
}

function toNodes(children: readonly Node[], state: State, level: number, parent?: Tag): MarkdownNode[] {
  if (level > MOST_LEVELS) throw new RangeError('Expected fewer levels.');
  return children.flatMap((child): MarkdownNode[] => {
    if (child.type === 'text') return [child.value ?? ''];
    const tag = toHeading(child.tagName, state) ?? child.tagName;
    if (!isTag(tag)) return [];
    state.elements -= 1;
    if (state.elements < 0) throw new RangeError('Expected fewer elements.');
    const lines = state.hasLines && isBlock(tag, parent) ? toLines(child) : {};
    return [{ ...toElement(tag, child), ...lines, children: toNodes(child.children ?? [], state, level + 1, tag) }];
  });
}

const BLOCKS: readonly Tag[] = ['p', 'h2', 'h3', 'h4', 'h5', 'h6', 'li', 'pre', 'table', 'hr'];

// A paragraph of a list item is the item itself.
function isBlock(tag: Tag, parent: Tag | undefined): boolean {
  return BLOCKS.includes(tag) && !(tag === 'p' && parent === 'li');
}

// The lists inside a list item have lines of their own.
function toLines({ position, children = [], tagName }: Node): Pick<MarkdownElement, 'lines'> {
  const from = position?.start?.line;
  if (from === undefined) return {};
  const own = children.filter((child) => child.tagName !== 'ul' && child.tagName !== 'ol');
  const ends = tagName === 'li' ? own.map((child) => child.position?.end?.line ?? from) : [position?.end?.line ?? from];
  return { lines: { from, to: Math.max(from, ...ends) } };
}

/** The page has the first heading. Those of a text come below it, without skipping a level. */
function toHeading(tagName: string | undefined, { headings }: State): Tag | undefined {
  const rank = Number(/^h([1-6])$/.exec(tagName ?? '')?.[1]);
  if (Number.isNaN(rank)) return undefined;
  while (headings.length > 0 && (headings.at(-1) ?? 0) >= rank) headings.pop();
  headings.push(rank);
  return HEADINGS[headings.length - 1] ?? 'h6';
}

const HEADINGS = ['h2', 'h3', 'h4', 'h5', 'h6'] as const;

function toElement(tag: Tag, { properties = {} }: Node): MarkdownElement {
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

function isTag(name: string | undefined): name is Tag {
  return (TAGS as readonly (string | undefined)[]).includes(name);
}
