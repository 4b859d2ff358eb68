import { createHash } from 'node:crypto';
import type { LogEvent } from '../../packages/beckon/src/index.ts';

/** Sums up a part of the log, so that two processes can compare what they read without sending it. */
export class LogDigest {
  readonly #hash = createHash('sha256');
  first = 0;
  last = 0;
  count = 0;

  add(event: LogEvent): void {
    if (this.count === 0) this.first = event.seq;
    this.last = event.seq;
    this.count += 1;
    this.#hash.update(JSON.stringify(event));
  }

  finish(): { first: number; last: number; count: number; digest: string } {
    return { first: this.first, last: this.last, count: this.count, digest: this.#hash.digest('hex') };
  }
}
