import type { Chunk, FileChange } from './file-change.ts';

type PatchLine = Chunk['lines'][number];

/** Reads a patch in Codex's own format or as a unified diff; `null` if the text is neither, or only in part. */
export function parsePatch(text: string): FileChange[] | null {
  const lines = text.trim().split(/\r?\n/);
  return lines[0] === '*** Begin Patch' ? parseCodexPatch(lines.slice(1)) : parseUnifiedDiff(lines);
}

const FILE_MARK = /^\*\*\* (Add|Update|Delete) File: (.+)$/;

function parseCodexPatch(lines: readonly string[]): FileChange[] | null {
  const files: FileChange[] = [];
  const end = lines.indexOf('*** End Patch');
  const body = end === -1 ? lines : lines.slice(0, end);
  // Whatever comes after the end would run unseen.
  if (end !== -1 && end !== lines.length - 1) return null;
  for (let at = 0; at < body.length; ) {
    const [, verb, path] = FILE_MARK.exec(body[at] ?? '') ?? [];
    if (verb === undefined || path === undefined) return null;
    let next = at + 1;
    while (next < body.length && !FILE_MARK.test(body[next] ?? '')) next += 1;
    const file = toFile(verb, path, body.slice(at + 1, next));
    if (file === null) return null;
    files.push(file);
    at = next;
  }
  return files.length === 0 ? null : files;
}

function toFile(verb: string, path: string, lines: readonly string[]): FileChange | null {
  if (verb === 'Delete') return lines.length === 0 ? { path, steps: [{ type: 'delete' }] } : null;
  if (verb === 'Add') {
    if (!lines.every((line) => line.startsWith('+'))) return null;
    return { path, steps: [{ type: 'create', content: lines.map((line) => `${line.slice(1)}\n`).join('') }] };
  }
  const [, movedTo] = /^\*\*\* Move to: (.+)$/.exec(lines[0] ?? '') ?? [];
  const steps = toChunks(movedTo === undefined ? lines : lines.slice(1));
  return steps && { path, steps, ...(movedTo !== undefined && { movedTo }) };
}

function toChunks(lines: readonly string[]): Chunk[] | null {
  const chunks: Chunk[] = [];
  let chunk: { lines: PatchLine[]; anchors: string[]; isAtEnd?: true } = { lines: [], anchors: [] };
  const close = (): void => {
    if (chunk.lines.length > 0) chunks.push({ type: 'chunk', ...chunk });
    // Anchors in a row lead to the chunk below them.
    chunk = { lines: [], anchors: chunk.lines.length > 0 ? [] : chunk.anchors };
  };
  for (const line of lines) {
    if (line === '*** End of File') {
      chunk.isAtEnd = true;
    } else if (line === '@@' || line.startsWith('@@ ')) {
      close();
      if (line.length > 3) chunk.anchors.push(line.slice(3));
    } else {
      const read = toPatchLine(line);
      if (read === null) return null;
      chunk.lines.push(read);
    }
  }
  close();
  return chunks;
}

const KINDS: Readonly<Record<string, PatchLine['kind']>> = { ' ': 'same', '+': 'added', '-': 'removed' };

function toPatchLine(line: string): PatchLine | null {
  // Many programs drop the space of an empty line.
  if (line === '') return { kind: 'same', text: '' };
  const kind = KINDS[line.charAt(0)];
  return kind === undefined ? null : { kind, text: line.slice(1) };
}

const HUNK_MARK = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
/** Lines of `git diff` above a file's `---` that say nothing about its content. */
const NOISE = /^(?:diff |index |similarity index |(?:old|new) mode |(?:new|deleted) file mode |rename (?:from|to) )/;

function parseUnifiedDiff(lines: readonly string[]): FileChange[] | null {
  const files: FileChange[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const next = lines[at + 1] ?? '';
    if (line.startsWith('--- ') && next.startsWith('+++ ')) {
      const read = readHunks(lines, at + 2);
      const file = read && toUnifiedFile(toPath(line), toPath(next), read.chunks);
      if (read === null || file === null) return null;
      files.push(file);
      at = read.next;
    } else if (line === '' || NOISE.test(line)) at += 1;
    else return null;
  }
  return files.length === 0 ? null : files;
}

/** Reads hunks by the number of lines that each announces, so that a line of content cannot pose as a mark. */
function readHunks(lines: readonly string[], from: number): { chunks: Chunk[]; next: number } | null {
  const chunks: Chunk[] = [];
  let at = from;
  for (;;) {
    const [mark, start, olds = '1', news = '1'] = HUNK_MARK.exec(lines[at] ?? '') ?? [];
    if (mark === undefined) return chunks.length === 0 ? null : { chunks, next: at };
    at += 1;
    let [before, after] = [Number(olds), Number(news)];
    const read: PatchLine[] = [];
    while (before > 0 || after > 0) {
      const line = at < lines.length ? toPatchLine(lines[at] ?? '') : null;
      if (line === null) return null;
      if (line.kind !== 'added') before -= 1;
      if (line.kind !== 'removed') after -= 1;
      read.push(line);
      at += 1;
    }
    while (lines[at]?.startsWith('\\ ') === true) at += 1;
    chunks.push({ type: 'chunk', lines: read, anchors: [], line: Number(start) });
  }
}

function toUnifiedFile(before: string | null, after: string | null, chunks: Chunk[]): FileChange | null {
  const path = before ?? after;
  if (path === null) return null;
  if (after === null) return { path, steps: [{ type: 'delete' }] };
  if (before === null) {
    const lines = chunks.flatMap((chunk) => chunk.lines.map(({ text }) => `${text}\n`));
    return { path, steps: [{ type: 'create', content: lines.join('') }] };
  }
  return { path, steps: chunks, ...(after !== before && { movedTo: after }) };
}

/** The path of a `---` or `+++` line; `null` for a file that is not there. */
function toPath(line: string): string | null {
  const path = (line.slice(4).split('\t')[0] ?? '').trim();
  return path === '/dev/null' ? null : path.replace(/^[ab]\//, '');
}
