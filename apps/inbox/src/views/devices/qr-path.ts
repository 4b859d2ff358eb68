import { encode } from 'uqr';

/** Light modules around the code, which scanners need to find it. */
const BORDER = 4;

/** A text as a QR code: the path of its dark modules, on a grid of `size` by `size`. */
export function toQrPath(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: 'M', border: BORDER });
  const parts: string[] = [];
  for (const [y, row] of data.entries()) {
    let x = 0;
    while (x < row.length) {
      const start = x;
      while (row[x] === true) x += 1;
      // One run of dark modules is one rectangle.
      if (x > start) parts.push(`M${start} ${y}h${x - start}v1H${start}z`);
      else x += 1;
    }
  }
  return { size, path: parts.join('') };
}
