/** A change of a file, as ACP gives it: all of its text, or one place of it. */
export interface ChangedText {
  path: string;
  oldText: string;
  newText: string;
  /** `add`, `update` or `delete`, if the agent says so. */
  change: string | undefined;
}

/** Changes of several files as one patch, in the format of `apply_patch`. */
export function toPatch(changes: readonly ChangedText[]): string {
  const paths = [...new Set(changes.map(({ path }) => path))];
  const files = paths.flatMap((path) =>
    toFile(
      path,
      changes.filter((one) => one.path === path),
    ),
  );
  return ['*** Begin Patch', ...files, '*** End Patch'].join('\n');
}

function toFile(path: string, changes: readonly ChangedText[]): string[] {
  const [first] = changes;
  if (first?.change === 'delete') return [`*** Delete File: ${path}`];
  if (changes.length === 1 && first?.oldText === '' && first.change !== 'update') {
    return [`*** Add File: ${path}`, ...toLines(first.newText, '+')];
  }
  const hunks = changes.flatMap(({ oldText, newText }) => ['@@', ...toLines(oldText, '-'), ...toLines(newText, '+')]);
  return [`*** Update File: ${path}`, ...hunks];
}

function toLines(text: string, sign: string): string[] {
  if (text === '') return [];
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${sign}${line}`);
}
