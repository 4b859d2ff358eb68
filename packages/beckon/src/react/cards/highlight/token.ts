/** The looks of code. `styles.css` has a color for each (`tok-keyword`). */
export type Look = 'keyword' | 'string' | 'comment' | 'number' | 'title' | 'type' | 'attribute' | 'meta';

/** A part of a line: so many characters with one look, or with none. The text itself never leaves the page. */
export type Token = readonly [length: number, look: Look | null];

/** The tokens of a text, line by line. A line without tokens is shown plainly. */
export type TokenLines = readonly (readonly Token[])[];

/** What the worker is asked, and what it replies: `ready` once the language is there, then the tokens of each text. */
export interface HighlightJob {
  id: number;
  language: string;
  texts: readonly string[];
}
export type HighlightReply = { id: number; state: 'ready' } | { id: number; state: 'done'; lines: TokenLines[] | null };
