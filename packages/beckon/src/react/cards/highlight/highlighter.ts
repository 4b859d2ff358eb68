import type { HighlightJob, HighlightReply, TokenLines } from './token.ts';

/** Longer texts stay plain. */
const MOST_CHARS = 200_000;
/** How long a text may take, once its grammar is there; and how long the grammar may take to arrive. */
const LIMIT_MS = 1_000;
const LOAD_MS = 20_000;

/**
 * Colors code in a worker, one job after another: texts from agents are hostile, and some keep a grammar busy for
 * hours. Then the worker is ended, and the text stays plain.
 */
class Highlighter {
  #worker: Worker | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #id = 0;

  /** The tokens of each text; `null` if they stay plain. */
  highlight(texts: readonly string[], language: string, signal: AbortSignal): Promise<TokenLines[] | null> {
    if (texts.some((text) => text.length > MOST_CHARS)) return Promise.resolve(null);
    const job = this.#last.then(() => (signal.aborted ? null : this.#run({ id: (this.#id += 1), language, texts })));
    this.#last = job;
    return job;
  }

  async #run(job: HighlightJob): Promise<TokenLines[] | null> {
    this.#worker ??= new Worker(new URL('./highlight-worker.js', import.meta.url), { type: 'module' });
    const worker = this.#worker;
    const leaving = new AbortController();
    const { signal } = leaving;
    try {
      return await new Promise<TokenLines[] | null>((resolve, reject) => {
        let timer = setTimeout(reject, LOAD_MS);
        signal.addEventListener('abort', () => clearTimeout(timer));
        const onMessage = ({ data }: MessageEvent<HighlightReply>): void => {
          if (data.id !== job.id) return;
          clearTimeout(timer);
          if (data.state === 'done') resolve(data.lines);
          else timer = setTimeout(reject, LIMIT_MS);
        };
        worker.addEventListener('message', onMessage, { signal });
        worker.addEventListener('error', reject, { signal });
        worker.postMessage(job);
      });
    } catch {
      worker.terminate();
      this.#worker = null;
      return null; // Too slow, or no worker can run: the text stays plain.
    } finally {
      leaving.abort();
    }
  }
}

/** The page's only highlighter: one worker serves every text. */
export const highlighter = new Highlighter();
