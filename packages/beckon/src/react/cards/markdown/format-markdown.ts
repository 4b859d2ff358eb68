import type { WorkerOrder, WorkerReply } from './markdown-worker.ts';

/**
 * Reads Markdown in a worker of its own. The reply is `null` if the text takes too long or no worker can run, so a
 * hostile text stops the worker and not the page.
 */
export async function formatMarkdown(order: WorkerOrder, limitMs: number, signal: AbortSignal): Promise<WorkerReply> {
  const worker = new Worker(new URL('./markdown-worker.js', import.meta.url), { type: 'module' });
  try {
    return await new Promise<WorkerReply>((resolve) => {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
      limit.addEventListener('abort', () => resolve(null), { once: true });
      worker.addEventListener('message', ({ data }: MessageEvent<WorkerReply>) => resolve(data));
      worker.addEventListener('error', () => resolve(null));
      worker.postMessage(order);
    });
  } finally {
    worker.terminate();
  }
}
