import { keepWhole } from '../shared/cut-text.ts';
import type { Piece } from '../shared/piece.ts';

/** One message: its text and the positions of its styles, in UTF-16 units as Telegram counts them. */
export interface MessageText {
  text: string;
  entities: { type: 'bold' | 'pre'; offset: number; length: number }[];
}

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

// A line moves to the next message as a whole, unless it fills more than half of this one by itself.
function findCut(text: string, room: number, isFirst: boolean): number {
  if (room <= 0) return 0;
  const line = text.lastIndexOf('\n', room - 1) + 1;
  if (line > (isFirst ? room / 2 : 0)) return line;
  return isFirst ? keepWhole(text, room) : 0;
}
