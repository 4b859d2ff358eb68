import { readMarkdown } from '../../markdown/read.ts';
import type { MarkdownNode } from '../../markdown/tree.ts';
import { addDocument } from './worker-document.ts';

/** What to read, and whether blocks must know their lines. */
export interface WorkerOrder {
  text: string;
  hasLines: boolean;
}

/** The tree, or `null` if the text is shown as written. */
export type WorkerReply = MarkdownNode[] | null;

addDocument(self);
self.addEventListener('message', ({ data: { text, hasLines } }: MessageEvent<WorkerOrder>) => {
  readMarkdown(text, { hasLines }).then(
    (nodes) => self.postMessage(nodes satisfies WorkerReply),
    () => self.postMessage(null satisfies WorkerReply),
  );
});
