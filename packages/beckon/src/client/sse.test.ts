import { describe, expect, test } from 'vitest';
import { SseParser } from './sse.ts';

const encoder = new TextEncoder();

function read(...chunks: (string | Uint8Array)[]): object[] {
  const parser = new SseParser();
  return chunks.flatMap((chunk) => parser.push(typeof chunk === 'string' ? encoder.encode(chunk) : chunk));
}

/** The bytes one by one, the worst that a network can do. */
function inPieces(text: string): Uint8Array[] {
  return Array.from(encoder.encode(text), (byte) => Uint8Array.of(byte));
}

describe('SseParser', () => {
  test.each([
    ['LF', 'id: 1\ndata: a\n\nid: 2\ndata: b\n\n'],
    ['CRLF', 'id: 1\r\ndata: a\r\n\r\nid: 2\r\ndata: b\r\n\r\n'],
    ['CR', 'id: 1\rdata: a\r\rid: 2\rdata: b\r\r'],
  ])('lines that end with %s are read, whole or byte by byte', (_, text) => {
    const expected = [
      { id: '1', data: 'a' },
      { id: '2', data: 'b' },
    ];
    expect(read(text)).toEqual(expected);
    expect(read(...inPieces(text))).toEqual(expected);
  });

  test('a CR at the end of a piece and the LF of the next are one line end', () => {
    expect(read('data: a\r', '\ndata: b\r', '\n\r', '\n')).toEqual([{ data: 'a\nb' }]);
    expect(read('data: a\r', '\n', '\r', '\n')).toEqual([{ data: 'a' }]);
    expect(read('data: a\n', '\n')).toEqual([{ data: 'a' }]);
  });

  test('a CR at the end of a piece ends the block at once', () => {
    expect(read('data: a\n\r')).toEqual([{ data: 'a' }]);
  });

  test('several lines of data are joined', () => {
    expect(read('data: a\ndata:\ndata: b\n\n')).toEqual([{ data: 'a\n\nb' }]);
  });

  test('one space behind the colon is not part of the value, and a line may lack the colon', () => {
    expect(read('data:a\n\n', 'data:  a: b\n\n', 'data\n\n')).toEqual([{ data: 'a' }, { data: ' a: b' }, { data: '' }]);
  });

  test('comments are no messages, and unknown fields and ids with a null are left out', () => {
    expect(read(': still here\n\n: again\n\n')).toEqual([]);
    expect(read('retry: 1000\n\n')).toEqual([{}]);
    expect(read('event: x\nid: a\0b\ndata: c\n: comment\n\n')).toEqual([{ data: 'c' }]);
  });

  test('an id may come alone', () => {
    expect(read('retry: 1000\nid: 42\n\n')).toEqual([{ id: '42' }]);
  });

  test('a character that is cut in two comes out whole', () => {
    const text = 'data: Grüße 👋 世界\n\n';
    expect(read(...inPieces(text))).toEqual([{ data: 'Grüße 👋 世界' }]);
    const bytes = encoder.encode(text);
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(read(bytes.subarray(0, at), bytes.subarray(at))).toEqual([{ data: 'Grüße 👋 世界' }]);
    }
  });

  test('a block that was cut off is not given out', () => {
    expect(read('id: 1\ndata: a\n\nid: 2\ndata: b\n')).toEqual([{ id: '1', data: 'a' }]);
  });

  test('a byte order mark at the start is passed over', () => {
    expect(read('\uFEFFdata: a\n\n')).toEqual([{ data: 'a' }]);
  });
});
