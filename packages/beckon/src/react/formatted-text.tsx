import Markdown, { type Components, type Options } from 'react-markdown';
import rehypeSanitize, { type Options as Schema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { isSafeLink, isSafeSource } from '../components/url.ts';
import { SafeLink } from './safe-link.tsx';
import { texts } from './texts.ts';

/** Markdown without HTML: what is written as HTML is shown as text. Nothing is loaded for it. */
export function FormattedText({ text }: { text: string }) {
  return (
    <div className="beckon-text">
      <Markdown
        remarkPlugins={REMARK}
        rehypePlugins={REHYPE}
        components={ELEMENTS}
        urlTransform={(url, name) => ((name === 'src' ? isSafeSource(url) : isSafeLink(url)) ? url : '')}
      >
        {text}
      </Markdown>
    </div>
  );
}

/** No class, id, name or style of an agent's text gets through. */
const SCHEMA: Schema = {
  tagNames:
    'h1 h2 h3 h4 h5 h6 p br hr strong em del sup blockquote pre code ul ol li input table thead tbody tr th td a img section'.split(
      ' ',
    ),
  attributes: {
    a: ['href'],
    img: ['src', 'alt'],
    input: [['type', 'checkbox'], 'checked', ['disabled', true]],
    ol: ['start'],
    th: [['align', 'left', 'center', 'right']],
    td: [['align', 'left', 'center', 'right']],
  },
  protocols: { href: ['http', 'https', 'mailto'], src: ['http', 'https'] },
  required: { input: { type: 'checkbox', disabled: true } },
  ancestors: { tr: ['table'], td: ['table'], th: ['table'], thead: ['table'], tbody: ['table'] },
  clobber: [],
  strip: [],
};
const REMARK = [remarkGfm];
const REHYPE: Options['rehypePlugins'] = [[rehypeSanitize, SCHEMA], () => (root: Node) => lowerHeadings(root, [])];

/** As much of a tree of elements as is looked at. */
interface Node {
  tagName?: string;
  children?: Node[];
}

/** The page around has the first heading; those of a text come below it, without leaving out a level. */
function lowerHeadings(node: Node, above: number[]): void {
  for (const child of node.children ?? []) {
    const rank = Number(/^h([1-6])$/.exec(child.tagName ?? '')?.[1]);
    if (Number.isNaN(rank)) {
      lowerHeadings(child, above);
      continue;
    }
    while ((above.at(-1) ?? 0) >= rank) above.pop();
    above.push(rank);
    child.tagName = `h${Math.min(above.length + 1, 6)}`;
  }
}

const ELEMENTS: Components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  // The address of an image would tell its owner who reads this and when, so it is only named.
  img: ({ src, alt }) => (
    <span className="beckon-placeholder">
      {texts.image}
      {alt ? `: ${alt}` : ''}
      {typeof src === 'string' && src !== '' && ` (${new URL(src).host})`}
    </span>
  ),
  table: ({ children }) => (
    <div className="beckon-scroll" role="region" aria-label={texts.table} tabIndex={0}>
      <table className="beckon-grid">{children}</table>
    </div>
  ),
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  input: ({ checked }) => <input type="checkbox" checked={checked === true} disabled readOnly aria-label="" />,
};
