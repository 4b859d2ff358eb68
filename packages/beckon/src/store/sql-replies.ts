import type { StoredReplies } from '../core/store.ts';
import type { Reader } from './driver.ts';
import type { Writer } from './writer.ts';

/** ntfy servers keep messages for hours or days; after this long none comes again. */
const KEPT_MS = 30 * 24 * 3_600_000;

/** The replies that were taken, in the store's tables. */
export class SqlReplies implements StoredReplies {
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  async has(key: string): Promise<boolean> {
    return (await this.#reader.all('select 1 from replies where key = $1', [key])).length > 0;
  }

  note(key: string, at: string): Promise<boolean> {
    const now = Date.parse(at);
    return this.#writer.submit({
      run: async ({ transaction }) => {
        await transaction.all('delete from replies where at < $1', [now - KEPT_MS]);
        const added = await transaction.all(
          'insert into replies (key, at) values ($1, $2) on conflict (key) do nothing returning key',
          [key, now],
        );
        return added.length === 1;
      },
    });
  }
}
