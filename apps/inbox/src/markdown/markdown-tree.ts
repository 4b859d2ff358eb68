/** The elements that Markdown may become on this page. There are no others, whatever an agent writes. */
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

/** A text, or an element with what little of its attributes the page uses. */
export type MarkdownNode = string | MarkdownElement;

export interface MarkdownElement {
  tag: Tag;
  children: MarkdownNode[];
  /** Of a link, as written; it is judged where it is drawn. */
  href?: string;
  /** Of an image, as written; it is never loaded. */
  src?: string;
  alt?: string;
  /** Of a task. */
  checked?: boolean;
  /** Of a numbered list. */
  start?: number;
  align?: 'left' | 'center' | 'right';
}
