import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEditText } from './edit-text.ts';

describe.runIf(process.platform !== 'win32')('an editor', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'beckon-editor-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function createEditor(script: string): Promise<string> {
    const path = join(folder, 'an editor.sh');
    await writeFile(path, script);
    return `sh '${path}'`;
  }

  test('gets the text in a file of its own, and the file is gone afterwards', async () => {
    const editor = await createEditor(`echo "$1" > '${folder}/seen'; printf more >> "$1"`);
    expect(await createEditText({ EDITOR: editor })('text\n', 'plan.md')).toBe('text\nmore');
    const path = (await readFile(join(folder, 'seen'), 'utf8')).trim();
    expect(path).toMatch(/plan\.md$/);
    await expect(access(path)).rejects.toThrow('ENOENT');
  });

  test('may have arguments, and VISUAL comes before EDITOR', async () => {
    const editor = await createEditor('printf "$1" > "$2"');
    expect(await createEditText({ VISUAL: `${editor} visual`, EDITOR: 'false' })('x', 'a')).toBe('visual');
  });

  test('that fails gives no text', async () => {
    await expect(createEditText({ EDITOR: 'false' })('x', 'a')).rejects.toThrow('exited with code 1');
  });
});
