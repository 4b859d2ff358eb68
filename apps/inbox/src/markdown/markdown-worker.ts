import { type MarkdownNode, readMarkdown } from 'beckon/react';

/** The tree, or `null` if the text is shown as written. */
export type WorkerReply = MarkdownNode[] | null;

self.addEventListener('message', ({ data }: MessageEvent<string>) => {
  readMarkdown(data).then(
    (nodes) => self.postMessage(nodes satisfies WorkerReply),
    () => self.postMessage(null satisfies WorkerReply),
  );
});
