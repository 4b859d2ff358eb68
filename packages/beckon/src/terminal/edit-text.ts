import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Lets the person edit a text, and gives the result. Rejects if the editor failed. */
export type EditText = (text: string, fileName: string) => Promise<string>;

/** Edits in the person's own editor: VISUAL, else EDITOR, else vi. Only they can read the file, and it is removed. */
export function createEditText(env: Readonly<Record<string, string | undefined>>): EditText {
  const editor = env['VISUAL'] || env['EDITOR'] || 'vi';
  return async (text, fileName) => {
    const folder = await mkdtemp(join(tmpdir(), 'beckon-edit-'));
    try {
      const file = join(folder, fileName);
      await writeFile(file, text, { mode: 0o600 });
      await run(editor, file);
      return await readFile(file, 'utf8');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

// EDITOR may contain arguments, such as "code --wait", so a shell parses it, as with git.
async function run(editor: string, file: string): Promise<void> {
  const child =
    process.platform === 'win32'
      ? spawn(`${editor} "${file}"`, { shell: true, stdio: 'inherit' })
      : spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0)
    throw new Error(
      `The editor (${editor}) exited with code ${code}, so nothing changed. Set EDITOR to use another one.`,
    );
}
