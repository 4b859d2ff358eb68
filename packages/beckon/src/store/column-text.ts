/** Longer texts are cut: an index of Postgres holds no more than about 2,700 bytes. */
const COLUMN_CHARS = 300;

/** A text of an agent or a person as a column that is indexed. Postgres keeps neither NUL nor half a surrogate pair. */
export function toColumnText(text: string): string {
  return text.slice(0, COLUMN_CHARS).toWellFormed().replaceAll('\0', '\uFFFD');
}
