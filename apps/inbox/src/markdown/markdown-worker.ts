import type { MarkdownNode } from './markdown-tree.ts';
import { parseMarkdown } from './parse-markdown.ts';

/** What the worker answers: the tree, or `null` where the text is shown as it was written. */
export type WorkerReply = MarkdownNode[] | null;

self.addEventListener('message', ({ data }: MessageEvent<string>) => {
  self.postMessage(parseMarkdown(data) satisfies WorkerReply);
});
