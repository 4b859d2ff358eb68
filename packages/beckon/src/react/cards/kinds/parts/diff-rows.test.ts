import { expect, test } from 'vitest';
import { toFileDiffs } from '../../../../diff/index.ts';
import { type Row, toBlocks, toRows } from './diff-rows.ts';

const LINES = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`);

function run(
  ranges: readonly (readonly [number, number])[],
  changes: readonly number[],
  around: number,
  wanted: number[] = [],
) {
  const edits = changes.map((number) => ({ old_string: `line ${number}\n`, new_string: `other ${number}\n` }));
  const before = ranges.map(([from, to]) => ({ line: from, text: `${LINES.slice(from - 1, to).join('\n')}\n` }));
  const files = [{ path: '/a', sha256: 'a'.repeat(64), lines: 200, before }];
  const [diff] = toFileDiffs({ tool: 'MultiEdit', input: { file_path: '/a', edits } }, files);
  const blocks = toBlocks(diff?.hunks ?? []);
  expect(blocks).toHaveLength(1);
  return blocks.flatMap((block) => toRows(block, around, new Set(wanted)).map(draw));
}

function draw(row: Row): string {
  if (row.type === 'line') return `${row.line.kind.charAt(0)}${row.line.before ?? row.line.after}`;
  if (row.type === 'missing') return `missing ${row.count}`;
  return `gap ${row.to - row.from}${row.isFirst ? ' first' : ''}${row.isLast ? ' last' : ''}`;
}

test('far from a change, known lines are folded', () => {
  expect(run([[1, 200]], [100], 1)).toEqual(['gap 98 first', 's99', 'r100', 'a100', 's101', 'gap 99 last']);
});

test('lines that somebody wanted to see are shown', () => {
  expect(run([[1, 200]], [2], 0, [0, 3])).toEqual(['s1', 'r2', 'a2', 's3', 'gap 197 last']);
});

test('lines that were not sent are missing, not folded', () => {
  const ranges = [
    [40, 60],
    [90, 110],
  ] as const;
  expect(run(ranges, [50, 100], 0)).toEqual([
    'missing 39',
    'gap 10 first',
    'r50',
    'a50',
    'gap 10',
    'missing 29',
    'gap 10',
    'r100',
    'a100',
    'gap 10 last',
  ]);
});

test('changes without a place stand for themselves', () => {
  const edits = [
    { old_string: 'a', new_string: 'b' },
    { old_string: 'c', new_string: 'd' },
  ];
  const [diff] = toFileDiffs({ tool: 'MultiEdit', input: { file_path: '/a', edits } });
  expect(toBlocks(diff?.hunks ?? []).map(({ isPlaced, lines }) => [isPlaced, lines.length])).toEqual([
    [false, 2],
    [false, 2],
  ]);
});
