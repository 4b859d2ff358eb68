/// <reference lib="dom" />
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { checkTree } from '../../packages/beckon/src/components/check-tree.ts';
import { COMPONENTS } from '../../packages/beckon/src/components/registry.ts';
import { describeInChromium } from './describe-in-chromium.ts';
import { PageBench } from './page-bench.ts';
import { SAMPLES } from './samples.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('every entry of beckon/react stays small without what is loaded on demand', async () => {
  const command = join(root, 'node_modules/size-limit/bin.js');
  const { stdout } = await promisify(execFile)(process.execPath, [command, '--json'], {
    cwd: join(root, 'packages/beckon'),
  });
  const sizes = JSON.parse(stdout) as { name: string; passed: boolean; size: number }[];
  expect(sizes.map(({ name, passed }) => ({ name, passed }))).toEqual([
    { name: 'beckon/react', passed: true },
    { name: 'beckon/react: AgentCanvas, render', passed: true },
    { name: 'beckon/react: RequestCard', passed: true },
    { name: 'beckon/react: Inbox and hooks', passed: true },
    { name: 'beckon/react/parts', passed: true },
    { name: 'beckon/react/style.css', passed: true },
    { name: 'beckon/react/cards.css', passed: true },
  ]);
  // Less than this, and something was left out by mistake.
  expect(sizes[0]?.size).toBeGreaterThan(10_000);
});

test('every component has a sample in order, and a picture in its page', () => {
  expect(Object.keys(SAMPLES)).toEqual(Object.keys(COMPONENTS));
  expect(checkTree(Object.values(SAMPLES)).problems).toEqual([]);
  const page = readFileSync(join(root, 'docs/components.md'), 'utf8');
  const folder = join(root, 'docs/images/components');
  const files = readdirSync(folder);
  const shown = [...page.matchAll(/images\/components\/([\w-]+\.png)/g)].map(([, file]) => file);
  expect(new Set(shown)).toEqual(new Set(files));
  expect(files).toEqual(expect.arrayContaining(Object.keys(COMPONENTS).map((name) => `${name}.png`)));
  expect(files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)).toBeLessThan(1_000_000);
});

describeInChromium('without the packages for Markdown', () => {
  test('text is shown as it was written', async () => {
    const bench = await PageBench.open({}, ['react-markdown', 'remark-gfm', 'rehype-sanitize']);
    const errors: string[] = [];
    bench.page.on('pageerror', (error) => errors.push(error.message));
    await bench.render([{ type: 'markdown', content: '# Title\n\n**bold** <b>x</b>' }]);
    await bench.page.waitForTimeout(300);
    expect(await bench.page.locator('.beckon-text').textContent()).toBe('# Title\n\n**bold** <b>x</b>');
    expect(errors).toEqual([]);
    await bench.close();
  });
});
