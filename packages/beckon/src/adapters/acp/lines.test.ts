import { Readable, Writable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineWriter, type Piece, readLines } from './lines.ts';

const chunks = fc.array(
  fc.oneof(
    fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom('\n', '\r\n', '{}\n', '{"a":', '1}\n', 'é\n').map((text) => Buffer.from(text)),
  ),
);

test('the pieces are exactly the bytes that came, however they were cut', async () => {
  await fc.assert(
    fc.asyncProperty(chunks, fc.integer({ min: 1, max: 20 }), async (given, mostBytes) => {
      const pieces = await collect(given, mostBytes);
      expect(Buffer.concat(pieces.map(({ bytes }) => bytes))).toEqual(Buffer.concat(given));
      for (const { bytes, text, endsLine } of pieces) {
        expect(bytes.indexOf('\n')).toBe(endsLine ? bytes.length - 1 : -1);
        expect(text === undefined || bytes.length <= mostBytes).toBe(true);
      }
    }),
  );
});

test('a whole line is read, a half one and one that is too long are not', async () => {
  const pieces = await collect([Buffer.from('{"a":1}\r\n12345'), Buffer.from('67890\nhalf')], 9);
  expect(pieces.map(({ text, endsLine }) => [text, endsLine])).toEqual([
    ['{"a":1}\r\n', true],
    [undefined, true],
    [undefined, false],
  ]);
});

test('a message of our own waits for the end of a line', async () => {
  const written: string[] = [];
  const writer = new LineWriter(
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        written.push(chunk.toString());
        done();
      },
    }),
  );
  await writer.pass({ bytes: Buffer.from('{"long":'), endsLine: false });
  writer.send({ method: 'ours' });
  await writer.pass({ bytes: Buffer.from('1}\n'), endsLine: true });
  expect(written.join('')).toBe('{"long":1}\n{"jsonrpc":"2.0","method":"ours"}\n');
});

test('a reader that has gone is noticed, and nothing hangs', async () => {
  const stream = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
  const writer = new LineWriter(stream);
  await writer.pass({ bytes: Buffer.from('a line\n'), endsLine: true });
  expect(writer.isGone).toBe(true);
  await writer.pass({ bytes: Buffer.from('another\n'), endsLine: true });
});

async function collect(given: readonly Buffer[], mostBytes: number): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for await (const piece of readLines(Readable.from(given), mostBytes)) pieces.push(piece);
  return pieces;
}
