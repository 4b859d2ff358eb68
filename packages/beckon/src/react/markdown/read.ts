import type { MarkdownNode } from './tree.ts';

/**
 * Reads Markdown from an agent into a tree of known elements, for pages that draw it themselves; `null` if it is too
 * large or too deep. Needs `react-markdown`, `rehype-sanitize` and `remark-gfm`. Some texts take minutes, so call it
 * in a worker. With `hasLines`, blocks know their lines.
 */
export async function readMarkdown(
  text: string,
  { hasLines = false }: { hasLines?: boolean } = {},
): Promise<MarkdownNode[] | null> {
  const { parseMarkdown } = await import('./parse.ts');
  return parseMarkdown(text, hasLines);
}
