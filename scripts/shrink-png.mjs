// Makes the pictures of docs/images/ small: a page has few colours, so 256 of them say nearly the same in less than half of the bytes.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const COLOURS = 256;

/**
 * A PNG of three bytes a pixel, as the browser writes it, becomes one with a palette.
 * @param {Buffer} png
 */
export function shrinkPng(png) {
  const { width, height, pixels } = readPixels(png);
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (let at = 0; at < pixels.length; at += 3) {
    const colour = pixels.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = choosePalette(counts);
  const places = new Map([...counts.keys()].map((colour) => [colour, findNearest(palette, colour)]));
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      rows[y * (width + 1) + 1 + x] = places.get(pixels.readUIntBE((y * width + x) * 3, 3)) ?? 0;
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const colours = Buffer.alloc(palette.length * 3);
  for (const [index, colour] of palette.entries()) colours.writeUIntBE(colour, index * 3, 3);
  return Buffer.concat([
    SIGNATURE,
    toChunk('IHDR', header),
    toChunk('PLTE', colours),
    toChunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    toChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** @param {Buffer} png */
function readPixels(png) {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  if (png[24] !== 8 || png[25] !== 2) throw new Error('Expected a PNG with three bytes a pixel.');
  const parts = [];
  for (let at = SIGNATURE.length; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const filtered = inflateSync(Buffer.concat(parts));
  const stride = width * 3;
  const pixels = Buffer.alloc(height * stride);
  for (let y = 0; y < height; y += 1) {
    const filter = filtered[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x < 3 ? 0 : (pixels[at - 3] ?? 0);
      const up = y === 0 ? 0 : (pixels[at - stride] ?? 0);
      const corner = x < 3 || y === 0 ? 0 : (pixels[at - stride - 3] ?? 0);
      pixels[at] = (filtered[y * (stride + 1) + 1 + x] ?? 0) + predict(filter, left, up, corner);
    }
  }
  return { width, height, pixels };
}

/**
 * What a filter of the PNG format expects a byte to be.
 * @param {number} filter
 * @param {number} left
 * @param {number} up
 * @param {number} corner
 */
function predict(filter, left, up, corner) {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4: {
      const [toLeft, toUp, toCorner] = [
        Math.abs(up - corner),
        Math.abs(left - corner),
        Math.abs(left + up - 2 * corner),
      ];
      if (toLeft <= toUp && toLeft <= toCorner) return left;
      return toUp <= toCorner ? up : corner;
    }
    default:
      return 0;
  }
}

/**
 * Takes in turn the colour that is worst told so far, by how often it is there and how far it is from those that were taken: a small green
 * dot is not lost to the many greys of a text.
 * @param {ReadonlyMap<number, number>} counts
 */
function choosePalette(counts) {
  const distances = new Map([...counts.keys()].map((colour) => [colour, Number.POSITIVE_INFINITY]));
  /** @type {number[]} */
  const palette = [];
  while (palette.length < Math.min(COLOURS, counts.size)) {
    let worst = -1;
    let most = -1;
    for (const [colour, distance] of distances) {
      const error = Math.min(distance, 200_000) * (counts.get(colour) ?? 0);
      if (error > most) [worst, most] = [colour, error];
    }
    palette.push(worst);
    for (const [colour, distance] of distances) distances.set(colour, Math.min(distance, toDistance(colour, worst)));
  }
  return palette;
}

/**
 * @param {readonly number[]} palette
 * @param {number} colour
 */
function findNearest(palette, colour) {
  const distances = palette.map((other) => toDistance(colour, other));
  return distances.indexOf(Math.min(...distances));
}

/**
 * @param {number} one
 * @param {number} other
 */
function toDistance(one, other) {
  const red = (one >> 16) - (other >> 16);
  const green = ((one >> 8) & 255) - ((other >> 8) & 255);
  const blue = (one & 255) - (other & 255);
  return red * red + green * green + blue * blue;
}

/**
 * @param {string} type
 * @param {Buffer} data
 */
function toChunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
