/** The only elements that Markdown from an agent can become. */
export const TAGS = [
  'p',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
  'ul',
  'ol',
  'li',
  'pre',
  'code',
  'em',
  'strong',
  'del',
  'sup',
  'br',
  'hr',
  'a',
  'img',
  'input',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'section',
] as const;
export type Tag = (typeof TAGS)[number];

/** A text, or an element with the few attributes that are drawn. */
export type MarkdownNode = string | MarkdownElement;

export interface MarkdownElement {
  tag: Tag;
  children: MarkdownNode[];
  /** Of a link, as written. Check it with `isSafeLink` before drawing it. */
  href?: string;
  /** Of an image, as written. Nothing may load it. */
  src?: string;
  alt?: string;
  /** Of a task. */
  checked?: boolean;
  /** Of a numbered list. */
  start?: number;
  align?: 'left' | 'center' | 'right';
  /** Of a block, if lines were asked for: the lines of the source that it begins and ends on, from 1. */
  lines?: { from: number; to: number };
}
