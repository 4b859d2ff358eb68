import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type Context, readContext, toContextSummary } from './context.ts';
import { LIMITS } from './limits.ts';

const HASH = 'a'.repeat(64);
const FULL: Context = {
  project: 'webshop',
  folder: '/home/ada/webshop',
  branch: 'main',
  machine: 'laptop',
  agent: 'Claude Code',
  title: 'Convert the cart',
  prompt: 'Now the tests',
  message: 'All tests pass.',
  calls: [{ tool: 'Bash', about: 'npm test', outcome: 'ok', ms: 12 }],
  conversation: [{ by: 'person', text: 'Convert the cart', at: '2026-01-01T00:00:00.000Z' }],
  files: [{ path: '/a.ts', sha256: HASH, lines: 3, before: [{ line: 1, text: 'x' }] }],
};

describe('a context', () => {
  it('is read as it is', () => {
    expect(readContext(FULL)).toEqual(FULL);
    expect(readContext({})).toEqual({});
    expect(readContext({ project: undefined })).toEqual({});
  });

  it.each<[string, unknown, Context]>([
    ['nothing', null, { notes: ['context: expected an object, got null'] }],
    ['a list', [1], { notes: ['context: expected an object, got an array of 1'] }],
    ['notes of its own', { notes: ['all is well'] }, { notes: ['context: left out the unknown field "notes"'] }],
    ['a method of every object', { toString: 'x' }, { notes: ['context: left out the unknown field "toString"'] }],
    ['an empty name', { branch: '', machine: 'm' }, { machine: 'm', notes: ['branch: left out, got "" (text)'] }],
    [
      'a hash that is none',
      { files: [{ path: '/a', sha256: 'x' }] },
      { notes: ['files: left out, got an array of 1'] },
    ],
    ['a list that is none', { calls: 'npm test' }, { notes: ['calls: left out, got "npm test" (text)'] }],
  ])('keeps what fits, and says what does not: %s', (_, given, read) => {
    expect(readContext(given)).toEqual(read);
  });

  it('keeps the newest of too many calls', () => {
    const calls = Array.from({ length: 60 }, (_, index) => ({ tool: `tool ${index}` }));
    const read = readContext({ calls });
    expect(read.calls).toHaveLength(50);
    expect(read.calls?.at(-1)).toEqual({ tool: 'tool 59' });
    expect(read.notes).toEqual(['calls: only the last 50 of 60 are kept']);
  });

  it('loses its oldest conversation first, then the contents of its largest files', () => {
    const conversation = Array.from({ length: 100 }, (_, index) => ({
      by: 'agent',
      text: `${index} ${'x'.repeat(300)}`,
    }));
    const file = (path: string, length: number): object => ({
      path,
      sha256: HASH,
      before: [{ line: 1, text: 'y'.repeat(length) }],
    });
    const files = [file('/small', 30_000), file('/large', 50_000), { path: '/new', sha256: null }];
    const read = readContext({ conversation, files, message: 'All tests pass.' });
    expect(read.conversation?.length ?? 0).toBe(0);
    expect(read.files?.map(({ path, why }) => [path, why])).toEqual([
      ['/small', undefined],
      ['/large', 'too large to send'],
      ['/new', undefined],
    ]);
    expect(read.files?.[1]?.sha256).toBe(HASH);
    expect(read.message).toBe('All tests pass.');
    expect(read.notes).toHaveLength(2);
    const talk = readContext({ conversation: [...conversation, ...conversation, ...conversation] });
    expect(talk.conversation?.at(-1)?.text).toMatch(/^99 /);
    expect(talk.conversation?.length).toBeGreaterThan(100);
  });

  it('is cut in its texts last, and never inside a character', () => {
    const read = readContext({ message: '😀'.repeat(40_000), prompt: '"'.repeat(100_000), calls: [{ tool: 'x' }] });
    expect(read.calls).toEqual([]);
    expect(read.message).toMatch(/^(?:😀)+…$/u);
    expect(read.prompt).toMatch(/^"+…$/);
    const files = Array.from({ length: 3 }, (_, index) => ({
      path: `/${index}`,
      sha256: null,
      why: 'z'.repeat(30_000),
    }));
    expect(readContext({ files }).notes).toHaveLength(1);
  });

  test('whatever comes, it is read without an error, and stays small', () => {
    const anything = fc.oneof(fc.anything(), fc.record({ message: fc.anything(), calls: fc.anything() }));
    fc.assert(
      fc.property(anything, (given) => {
        expect(new TextEncoder().encode(JSON.stringify(readContext(given))).length).toBeLessThan(
          LIMITS.contextBytes + 4096,
        );
      }),
    );
  });
});

describe('the summary of a context', () => {
  it('has the names, and the beginning of the message', () => {
    const { prompt: _, calls: __, conversation: ___, files: ____, message, ...names } = FULL;
    expect(toContextSummary(FULL)).toEqual({
      ...names,
      message,
      files: [{ path: '/a.ts', isSeen: true }],
      hasMore: true,
    });
    expect(toContextSummary({ files: [{ path: '/b.ts', sha256: null }] }).files).toEqual([
      { path: '/b.ts', isNew: true, isSeen: true },
    ]);
    expect(toContextSummary({ files: [{ path: '/c.ts', target: '/d.ts', why: 'binary' }] }).files).toEqual([
      { path: '/c.ts', target: '/d.ts' },
    ]);
    expect(toContextSummary(names)).toEqual(names);
    expect(toContextSummary({ message: `x${'😀'.repeat(300)}` }).message).toBe(`x${'😀'.repeat(249)}…`);
    expect(toContextSummary({ message: 'x'.repeat(600) }).message).toBe(`${'x'.repeat(500)}…`);
  });
});
