import type { FileChangeItem } from './messages.ts';

type Change = FileChangeItem['changes'][number];

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/**
 * The changes of a call as one patch of `apply_patch`, which every surface shows as a diff and rules can judge. `null`
 * if they do not fit into one for certain.
 */
export function toPatch(changes: readonly Change[]): string | null {
  const files = changes.map(toFile);
  if (files.length === 0 || !files.every((lines) => lines !== null)) return null;
  return ['*** Begin Patch', ...files.flat(), '*** End Patch', ''].join('\n');
}

function toFile({ path, kind, diff }: Change): string[] | null {
  // A line break in a name would be a line of the patch.
  if ([path, kind.move_path ?? ''].some((name) => /[\r\n]/.test(name))) return null;
  switch (kind.type) {
    case 'add':
      return [`*** Add File: ${path}`, ...toLines(diff).map((line) => `+${line}`)];
    case 'delete':
      return [`*** Delete File: ${path}`];
    case 'update': {
      const hunks = toHunks(toLines(diff));
      const moved = kind.move_path ? [`*** Move to: ${kind.move_path}`] : [];
      return hunks && [`*** Update File: ${path}`, ...moved, ...hunks];
    }
    default:
      return null;
  }
}

/** The hunks of a unified diff, read by the number of lines that each announces, without these numbers. */
function toHunks(lines: readonly string[]): string[] | null {
  const hunks: string[] = [];
  let [before, after] = [0, 0];
  for (const line of lines) {
    if (line.startsWith('\\ ')) continue;
    if (before === 0 && after === 0) {
      const [mark, olds = '1', news = '1'] = HUNK.exec(line) ?? [];
      if (mark === undefined) return null;
      [before, after] = [Number(olds), Number(news)];
      hunks.push('@@');
      continue;
    }
    const sign = line === '' ? ' ' : line.charAt(0);
    if (!' +-'.includes(sign)) return null;
    if (sign !== '+') before -= 1;
    if (sign !== '-') after -= 1;
    if (before < 0 || after < 0) return null;
    hunks.push(line === '' ? ' ' : line);
  }
  return before === 0 && after === 0 ? hunks : null;
}

function toLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
