/** A piece of text and its style. Telegram gets styles by position, never as marks inside the text. */
export interface Piece {
  text: string;
  style?: 'bold' | 'pre';
}

/** One message: its text and the positions of its styles, in UTF-16 units as Telegram counts them. */
export interface MessageText {
  text: string;
  entities: { type: 'bold' | 'pre'; offset: number; length: number }[];
}

/** The length of the longest mark: `[U+10FFFF ×1048576]`. */
const LONGEST_MARK = 20;

/** Joins pieces into messages of at most `most` UTF-16 units each, cut at line ends where possible. */
export function toMessages(pieces: readonly Piece[], most: number): MessageText[] {
  const messages: MessageText[] = [];
  let current: MessageText = { text: '', entities: [] };
  const finish = (): void => {
    // Telegram refuses a message of blanks.
    if (current.text.trim() !== '') messages.push(current);
    current = { text: '', entities: [] };
  };
  for (const { text, style } of pieces) {
    let rest = text;
    while (rest !== '') {
      const room = most - current.text.length;
      const size = rest.length <= room ? rest.length : findCut(rest, room, current.text === '');
      const part = rest.slice(0, size);
      if (style !== undefined && part.trim() !== '') {
        current.entities.push({ type: style, offset: current.text.length, length: part.length });
      }
      current.text += part;
      rest = rest.slice(size);
      if (rest !== '') finish();
    }
  }
  finish();
  return messages;
}

/** Cuts a text to at most `most` UTF-16 units, and marks the cut. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const note = ' … (cut)';
  return text.slice(0, keepWhole(text, most - note.length)) + note;
}

// A line moves to the next message as a whole, unless it fills more than half of this one by itself.
function findCut(text: string, room: number, isFirst: boolean): number {
  if (room <= 0) return 0;
  const line = text.lastIndexOf('\n', room - 1) + 1;
  if (line > (isFirst ? room / 2 : 0)) return line;
  return isFirst ? keepWhole(text, room) : 0;
}

// Keeps surrogate pairs whole, and marks such as [U+202E].
function keepWhole(text: string, at: number): number {
  const mark = /\[(?:U(?:\+(?:[0-9A-F]{1,6}(?: ×?\d*)?)?)?)?$/.exec(text.slice(Math.max(0, at - LONGEST_MARK), at));
  const isCut = mark !== null && /^\[U\+[0-9A-F]{4,6}(?: ×\d+)?\]/.test(text.slice(at - mark[0].length));
  if (isCut && at > mark[0].length) return at - mark[0].length;
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code <= 0xdbff ? at - 1 : at;
}
