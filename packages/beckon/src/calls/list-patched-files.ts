/** A file that a patch changes, and the texts that its hunks look for. */
export interface PatchedFile {
  path: string;
  places: string[];
}

/** The line with a path, in the patches of apply_patch (`*** Update File: a.ts`) and of diff (`+++ b/a.ts`). */
const FILE = /^\*\*\* (?:Add|Update|Delete) File: (.+)$|^(?:---|\+\+\+) (?:[ab]\/)?([^\t]+)/;
const MOVED = /^\*\*\* Move to: (.+)$/;

/**
 * Reads which files a patch changes, and where. Unlike `diff/patch.ts`, it takes what it can from any text: a file that
 * may be changed is better looked at once too often.
 */
export function listPatchedFiles(patch: string): PatchedFile[] {
  const files = new Map<string, string[]>();
  let places: string[] = [];
  let hunk: string[] = [];
  const open = (path: string): void => {
    const name = path.trim();
    if (name === '/dev/null') return;
    places = files.get(name) ?? [];
    files.set(name, places);
  };
  const close = (): void => {
    if (hunk.length > 0) places.push(hunk.join('\n'));
    hunk = [];
  };
  for (const line of patch.split(/\r?\n/)) {
    const path = FILE.exec(line) ?? MOVED.exec(line);
    if (path !== null || line.startsWith('@@') || line.startsWith('***')) close();
    if (path !== null) open(path[1] ?? path[2] ?? '');
    else if (/^[ -]/.test(line)) hunk.push(line.slice(1));
    else if (line === '' && hunk.length > 0) hunk.push('');
  }
  close();
  return [...files].map(([path, found]) => ({ path, places: found.map(trimEnd).filter((text) => text !== '') }));
}

/**
 * Whether `listPatchedFiles` names every file of a patch for certain: it is one of apply_patch and nothing else, and no
 * line could be taken for the head of a file by somebody who reads it less strictly.
 */
export function isPlainPatch(patch: string): boolean {
  const lines = patch.replace(/\n$/, '').split('\n');
  if (lines.length < 3 || lines[0] !== '*** Begin Patch' || lines.at(-1) !== '*** End Patch') return false;
  return lines
    .slice(1, -1)
    .every(
      (line) =>
        /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): \S(?:[^\r]*\S)?$|^\*\*\* End of File$|^@@|^[+-]/.test(line) ||
        /^$|^ (?!\s*\*\*\*)/.test(line),
    );
}

// The last hunk ends with the line break of the patch.
function trimEnd(text: string): string {
  return text.replace(/\n+$/, '');
}
