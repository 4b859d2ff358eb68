import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));

test('the page about the terminal shows every recorded screen, and no other', async () => {
  const page = await readFile(join(docs, 'terminal.md'), 'utf8');
  const shown = [...page.matchAll(/<!-- screen: ([\w-]+) -->\n```text\n([^]*?)```/g)].map(
    ([, name = '', text = '']) => [name, text] as const,
  );
  const files = (await readdir(join(docs, 'screens'))).sort();
  expect(shown.map(([name]) => `${name}.txt`).sort()).toEqual(files);
  for (const [name, text] of shown) expect(await readFile(join(docs, 'screens', `${name}.txt`), 'utf8')).toBe(text);
});
