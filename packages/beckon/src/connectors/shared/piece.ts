/** A piece of text and its style. A style is never a mark inside the text. */
export interface Piece {
  text: string;
  style?: 'bold' | 'pre';
}
