import { expect, test } from 'vitest';
import { createDiff, type DiffLine } from './diff-lines.ts';

function toText(lines: readonly DiffLine[]): string[] {
  return lines.map((line) => {
    if (line.type === 'gap') return `… ${line.hidden}`;
    if (line.type === 'same') return ` ${line.text}`;
    const text = line.parts.map((part) => (part.changed ? `{${part.text}}` : part.text)).join('');
    return line.type === 'added' ? `+${text}` : `-${text}`;
  });
}

test('a changed line is shown with the words that changed', () => {
  const diff = createDiff('const port = 80;\nlisten(port);\n', 'const port = 8080;\nlisten(port);\n');
  expect(toText(diff.lines)).toEqual(['-const port = {80};', '+const port = {8080};', ' listen(port);']);
  expect(diff).toMatchObject({ added: 1, removed: 1, exact: true });
});

test('what is the same far from a change is folded', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  const diff = createDiff(lines.join('\n'), lines.with(10, 'other').join('\n'));
  expect(toText(diff.lines)[0]).toBe('… 7');
  expect(toText(diff.lines).at(-1)).toBe('… 6');
});

test('line numbers count both sides', () => {
  const { lines } = createDiff('a\nb\nc\n', 'a\nc\nd\n');
  expect(lines).toContainEqual({ type: 'same', text: 'c', before: 3, after: 2 });
});

test('a text that ends without a line end has as many lines', () => {
  expect(createDiff('', 'a\nb').added).toBe(2);
  expect(createDiff('', 'a\nb\n').added).toBe(2);
  expect(createDiff('a', '').removed).toBe(1);
  expect(createDiff('a', 'a').lines).toEqual([{ type: 'gap', hidden: 1 }]);
});

test('texts that have nothing in common are compared in time', () => {
  const before = Array.from({ length: 20_000 }, (_, index) => `a${index}`).join('\n');
  const after = Array.from({ length: 20_000 }, (_, index) => `b${index}`).join('\n');
  const start = performance.now();
  const diff = createDiff(before, after);
  expect(performance.now() - start).toBeLessThan(5_000);
  expect(diff).toMatchObject({ added: 20_000, removed: 20_000 });
});
