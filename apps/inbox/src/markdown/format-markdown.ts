import type { WorkerReply } from './markdown-worker.ts';

/**
 * Reads Markdown beside the page, in a worker that ends with it. A text made to be slow stops the worker and not the page: then, and
 * whenever a worker cannot run, the reply is `null`.
 */
export async function formatMarkdown(text: string, limitMs: number, signal: AbortSignal): Promise<WorkerReply> {
  const worker = new Worker(new URL('./markdown-worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise<WorkerReply>((resolve) => {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
      limit.addEventListener('abort', () => resolve(null), { once: true });
      worker.addEventListener('message', ({ data }: MessageEvent<WorkerReply>) => resolve(data));
      worker.addEventListener('error', () => resolve(null));
      worker.postMessage(text);
    });
  } finally {
    worker.terminate();
  }
}
