import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readme = await readFile(join(root, 'README.md'), 'utf8');

test.each(['README.md', 'docs/coordinator.md', 'docs/callbacks.md'])(
  'the example in %s runs and prints what its comment says',
  async (page) => {
    const code = /```ts\n(.*?)```/s.exec(await readFile(join(root, page), 'utf8'))?.[1];
    const expected = /console\.log\(.*?\); \/\/ (.*)/.exec(code ?? '')?.[1];
    if (code === undefined || expected === undefined)
      throw new Error('Expected a TypeScript example that logs its result');
    // Below node_modules, so that `beckon` is the built package, as it is for users.
    const cache = join(root, 'node_modules/.cache');
    await mkdir(cache, { recursive: true });
    const folder = await mkdtemp(join(cache, 'readme-'));
    try {
      // Node strips no types below node_modules.
      await writeFile(join(folder, 'example.mjs'), stripTypeScriptTypes(code));
      const { stdout } = await promisify(execFile)(process.execPath, ['example.mjs'], { cwd: folder });
      expect(stdout.trim()).toBe(expected);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);

test('every file that the README links to is there', async () => {
  const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map((match) => match[1] ?? '');
  expect(links).not.toEqual([]);
  for (const link of links) await expect(readFile(join(root, link), 'utf8')).resolves.not.toBe('');
});
