import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTemporaryFolder } from '../testing/harness/temporary-folder.ts';
import { checkFiles, gatherFiles } from './gather-files.ts';

let folder: string;
beforeEach(() => {
  folder = createTemporaryFolder('beckon-context-');
});
afterEach(() => rmSync(folder, { recursive: true }));

const LONG = Array.from({ length: 4000 }, (_, index) => `line ${index + 1} ${'.'.repeat(20)}`);

describe('the files of a call', () => {
  test('a small file is there whole, with its hash and its lines', () => {
    const path = put('a.ts', 'one\ntwo\n');
    expect(gather('Edit', { file_path: path, old_string: 'two', new_string: 'zwei' })).toEqual([
      { path, sha256: sha256('one\ntwo\n'), lines: 2, before: [{ line: 1, text: 'one\ntwo\n' }] },
    ]);
  });

  test('a relative path starts at the working folder', () => {
    const path = put('a.ts', '');
    expect(gather('Write', { file_path: 'a.ts', content: 'x' })).toEqual([
      { path, sha256: sha256(''), lines: 0, before: [] },
    ]);
  });

  test('a new file has no hash', () => {
    const path = join(folder, 'new', 'a.ts');
    expect(gather('Write', { file_path: path, content: 'x' })).toEqual([{ path, sha256: null }]);
  });

  test('of a long file the lines around the change are there, with their numbers', () => {
    const path = put('long.ts', LONG.join('\n'));
    const [file] = gather('Edit', { file_path: path, old_string: 'line 2000 ', new_string: 'x' });
    expect(file).toMatchObject({ lines: 4000, sha256: sha256(LONG.join('\n')) });
    expect(file?.before).toEqual([{ line: 1940, text: LONG.slice(1939, 2060).join('\n') }]);
  });

  test('several changes have a piece each, and near ones share it', () => {
    const path = put('long.ts', LONG.join('\n'));
    const edits = ['line 100 ', 'line 150 ', 'line 3000 '].map((text) => ({ old_string: text, new_string: 'x' }));
    const [file] = gather('MultiEdit', { file_path: path, edits });
    expect(file?.before?.map(({ line, text }) => [line, text.split('\n').length])).toEqual([
      [40, 171],
      [2940, 121],
    ]);
  });

  test('an overwritten file is shown where it differs', () => {
    const path = put('long.ts', LONG.join('\n'));
    const content = LONG.with(2999, 'changed').join('\n');
    const [file] = gather('Write', { file_path: path, content });
    expect(file?.before).toEqual([{ line: 2940, text: LONG.slice(2939, 3060).join('\n') }]);
  });

  test('contents take at most 32 KiB together, whatever the call changes', () => {
    const path = put('long.ts', LONG.join('\n'));
    const [everywhere] = gather('Edit', { file_path: path, old_string: 'line', new_string: 'x', replace_all: true });
    const [all] = gather('Write', { file_path: path, content: 'nothing of it' });
    for (const file of [everywhere, all]) {
      const bytes = (file?.before ?? []).reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
      expect(bytes).toBeGreaterThan(1000);
      expect(bytes).toBeLessThanOrEqual(32_768);
    }
    const minified = put('min.js', 'x'.repeat(100_000));
    expect(gather('Write', { file_path: minified, content: '' })).toMatchObject([{ why: 'too large to send' }]);
  });

  test('lines with carriage returns are found', () => {
    const path = put('crlf.txt', LONG.join('\r\n'));
    const [file] = gather('Edit', { file_path: path, old_string: `${LONG[1999]}\n${LONG[2000]}`, new_string: 'x' });
    expect(file?.before?.[0]?.line).toBe(1940);
  });

  test('a text that is not there shows the beginning', () => {
    const path = put('long.ts', LONG.join('\n'));
    expect(gather('Edit', { file_path: path, old_string: 'nowhere', new_string: '' })[0]?.before?.[0]?.line).toBe(1);
  });

  test('of a notebook the source of the cell is there', () => {
    const cells = [
      { id: 'a', source: ['x = 1\n', 'y = 2'] },
      { id: 'b', source: 'z = 3' },
    ];
    const path = put('n.ipynb', JSON.stringify({ cells }));
    const edit = (fields: object) => gather('NotebookEdit', { notebook_path: path, new_source: 'q', ...fields })[0];
    expect(edit({ cell_id: 'a' })).toMatchObject({ path, before: [{ line: 1, text: 'x = 1\ny = 2' }] });
    expect(edit({ cell_id: 'b' })?.before?.[0]?.text).toBe('z = 3');
    expect(edit({ cell_id: 'cell-1' })?.before?.[0]?.text).toBe('z = 3');
    expect(edit({ cell_id: 'a', edit_mode: 'insert' })).toMatchObject({ why: expect.stringContaining('a new cell') });
    put('n.ipynb', 'not JSON');
    expect(edit({ cell_id: 'a' })).toMatchObject({ why: expect.stringContaining('not found') });
  });

  test.each([
    ['patch', 'apply_patch'],
    ['input', 'apply_patch'],
    ['command', 'apply_patch'],
  ])('a patch in %s names its files', (field) => {
    put('a.ts', LONG.join('\n'));
    put('gone.ts', 'x\n');
    const patch = [
      '*** Begin Patch',
      '*** Update File: a.ts',
      '@@',
      ` ${LONG[1999]}`,
      `-${LONG[2000]}`,
      '+changed',
      '*** Add File: b.ts',
      '+new',
      '*** Delete File: gone.ts',
      '*** End Patch',
      '',
    ].join('\n');
    expect(gather('apply_patch', { [field]: patch })).toMatchObject([
      { path: join(folder, 'a.ts'), before: [{ line: 1940 }] },
      { path: join(folder, 'b.ts'), sha256: null },
      { path: join(folder, 'gone.ts'), before: [{ line: 1, text: 'x\n' }] },
    ]);
  });

  test('a patch of diff names its files, also both names of a renamed one', () => {
    put('a.ts', 'one\ntwo\n');
    const patch = '--- a/a.ts\n+++ b/b.ts\t2026\n@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n--- /dev/null\n+++ b/c.ts\n';
    expect(gather('apply_patch', { input: patch }).map(({ path }) => path)).toEqual(
      ['a.ts', 'b.ts', 'c.ts'].map((name) => join(folder, name)),
    );
  });

  test('what is no text says why', () => {
    const binary = put('a.png', Buffer.from([1, 0, 2]));
    expect(gather('Write', { file_path: binary })).toMatchObject([
      { sha256: sha256(Buffer.from([1, 0, 2])), why: 'binary' },
    ]);
    const latin = put('b.txt', Buffer.from([0xe4, 0xf6]));
    expect(gather('Write', { file_path: latin })).toMatchObject([{ why: 'binary' }]);
    const large = put('c.txt', '');
    truncateSync(large, 11_000_000);
    expect(gather('Write', { file_path: large })).toEqual([{ path: large, why: 'larger than 10 MB' }]);
    expect(gather('Write', { file_path: folder })).toEqual([{ path: folder, why: 'not a regular file' }]);
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(gather('Write', { file_path: pipe })).toEqual([{ path: pipe, why: 'not a regular file' }]);
    expect(gather('Write', { file_path: '/dev/zero' })).toEqual([{ path: '/dev/zero', why: 'not a regular file' }]);
    expect(gather('Write', { file_path: `${folder}/\0` })).toMatchObject([
      { why: expect.stringContaining('not readable') },
    ]);
  });

  test('a link is followed, and says where it leads', () => {
    const path = put('real.ts', 'one\n');
    const link = join(folder, 'link.ts');
    symlinkSync('real.ts', link);
    expect(gather('Write', { file_path: link })).toMatchObject([{ path: link, target: path, sha256: sha256('one\n') }]);
    const dangling = join(folder, 'dangling.ts');
    symlinkSync('/nowhere/at/all', dangling);
    expect(gather('Write', { file_path: dangling })).toEqual([
      { path: dangling, target: '/nowhere/at/all', sha256: null },
    ]);
  });

  test.each([
    ['Bash', { command: 'rm a.ts' }],
    ['Edit', {}],
    ['Edit', { file_path: 7 }],
    ['MultiEdit', { file_path: '', edits: [null] }],
    ['apply_patch', { input: ['a'] }],
    ['apply_patch', { input: 'just words' }],
  ])('%s of %j changes no file that is known', (tool, input) => {
    expect(gather(tool, input)).toEqual([]);
  });
});

describe('before the call runs', () => {
  test('files that are as they were are fine', () => {
    const path = put('a.ts', 'one\n');
    const seen = see(path, join(folder, 'new.ts'), folder);
    expect(checkFiles(seen)).toBeNull();
    // Written again, with the same content.
    put('a.ts', 'one\n');
    expect(checkFiles(seen)).toBeNull();
  });

  test('a changed, deleted or created file is named, with what to do', () => {
    const path = put('a.ts', 'one\n');
    const fresh = join(folder, 'new.ts');
    const changed = see(path);
    const created = see(fresh);
    put('a.ts', 'one!\n');
    expect(checkFiles(changed)).toBe(
      `${path} has changed after this call was asked, so what was allowed is not what would run. ` +
        'Read the file again, then make the call again.',
    );
    rmSync(path);
    expect(checkFiles(changed)).toContain(`${path} was deleted`);
    put('new.ts', '');
    expect(checkFiles(created)).toContain(`${fresh} was created`);
  });

  test('a link that leads elsewhere is a change, even to the same content', () => {
    put('one.ts', 'same');
    put('two.ts', 'same');
    const link = join(folder, 'link.ts');
    symlinkSync('one.ts', link);
    const seen = see(link);
    rmSync(link);
    symlinkSync('two.ts', link);
    expect(checkFiles(seen)).toContain(`${link} has changed`);
  });

  test('a file too large to be hashed is compared by its size and time', () => {
    const path = put('large', '');
    truncateSync(path, 11_000_000);
    const seen = see(path);
    expect(checkFiles(seen)).toBeNull();
    utimesSync(path, 1, 1);
    expect(checkFiles(seen)).toContain('has changed');
  });

  function see(...paths: string[]) {
    return paths.flatMap((path) => gatherFiles({ tool: 'Write', input: { file_path: path }, folder }).seen);
  }
});

function gather(tool: string, input: Record<string, unknown>) {
  return gatherFiles({ tool, input, folder }).files;
}

function put(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, content);
  return path;
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
