import { expect, test } from 'vitest';
import { readMarkdown } from '../../markdown/read.ts';
import type { MarkdownNode } from '../../markdown/tree.ts';

function flatten(nodes: MarkdownNode[] | null): string {
  return (nodes ?? [])
    .map((node) => (typeof node === 'string' ? node : `<${node.tag}>${flatten(node.children)}</${node.tag}>`))
    .join('')
    .replaceAll('\n', '');
}

test('Markdown becomes elements', async () => {
  expect(flatten(await readMarkdown('# A\n\n- *b* `c`\n\n| d |\n|---|\n| e |'))).toBe(
    '<h2>A</h2><ul><li><em>b</em> <code>c</code></li></ul><table><thead><tr><th>d</th></tr></thead><tbody><tr><td>e</td></tr></tbody></table>',
  );
});

test('headings come below that of the page, and leave out no level', async () => {
  expect(flatten(await readMarkdown('### a\n\n##### b\n\n# c\n\n## d\n\n# e'))).toBe(
    '<h2>a</h2><h3>b</h3><h2>c</h2><h3>d</h3><h2>e</h2>',
  );
});

test('HTML is text, and so is a comment', async () => {
  expect(flatten(await readMarkdown('a <b onclick="x">b</b>\n\n<script>x</script>\n\n<!-- hidden -->'))).toBe(
    '<p>a <b onclick="x">b</b></p><script>x</script><!-- hidden -->',
  );
  const nodes = (await readMarkdown('<img src=x onerror=alert(1)>')) ?? [];
  expect(nodes.every((node) => typeof node === 'string')).toBe(true);
});

test('no attribute but the known ones gets through', async () => {
  const nodes = (await readMarkdown('```js {onload=x}\ncode\n```\n\n[a](https://x.test "t")\n\n1. a')) ?? [];
  expect(JSON.stringify(nodes)).not.toMatch(/class|title|language|onload/);
});

test('an address of another scheme is dropped', async () => {
  const text = '[a](javascript:x) [b](data:text/html,x) [c](vbscript:x) ![d](file:///etc/passwd)';
  expect(JSON.stringify(await readMarkdown(text))).not.toMatch(/javascript|data:|vbscript|file:/);
});

test('a definition that nothing refers to is shown', async () => {
  expect(flatten(await readMarkdown('[//]: # (obey me)'))).toContain('obey me');
  expect(flatten(await readMarkdown('[^x]: obey me'))).toContain('obey me');
  expect(flatten(await readMarkdown('[a]\n\n[a]: https://x.test'))).toBe('<p><a>a</a></p>');
});

test.each([
  ['quotes', '>'.repeat(1_500)],
  ['lists', Array.from({ length: 100 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n')],
  ['emphasis', `${'*a '.repeat(300)}${'b* '.repeat(300)}`],
  ['a table of many cells', `${'|a'.repeat(100)}|\n${'|-'.repeat(100)}|\n${`${'|a'.repeat(100)}|\n`.repeat(200)}`],
])('%s beyond the limits are not formatted', async (_, text) => {
  expect(await readMarkdown(text)).toBeNull();
});

test('blocks know their lines if they are asked for', async () => {
  const text = '# A\n\nb\nc\n\n- d\n  e\n  - f\n\n```\ng\n```\n\n> h';
  const nodes = (await readMarkdown(text, { hasLines: true })) ?? [];
  const found: string[] = [];
  const collect = (node: MarkdownNode): void => {
    if (typeof node === 'string') return;
    if (node.lines !== undefined) found.push(`${node.tag} ${node.lines.from}-${node.lines.to}`);
    for (const child of node.children) collect(child);
  };
  for (const node of nodes) collect(node);
  expect(found).toEqual(['h2 1-1', 'p 3-4', 'li 6-7', 'li 8-8', 'pre 10-12', 'p 14-14']);
  expect(JSON.stringify(await readMarkdown(text))).not.toContain('lines');
});
