/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../packages/beckon/src/protocol/json.ts';
import { runAxe } from './axe.ts';
import { HookProject } from './hook-project.ts';
import { describeInBrowser, expectShown, look, PageBench } from './page-bench.ts';

let bench: PageBench;
let page: Page;
let project: HookProject;

const LINES = Array.from({ length: 200 }, (_, index) => `export const part${index + 1} = ${index + 1};`);
const FILE = `${LINES.join('\n')}\n`;

describeInBrowser('calls that change files', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
    project = new HookProject(bench);
    page = await bench.newLoggedInPage({ viewport: { width: 1440, height: 900 } });
  });
  beforeEach(() => {
    project.write('src/parts.ts', FILE);
  });
  afterAll(async () => {
    project?.close();
    await bench?.close();
  });

  test('an Edit has the line numbers of the file, ten lines around it, and more on demand', async () => {
    await open('Edit', {
      file_path: project.path('src/parts.ts'),
      old_string: 'part100 = 100',
      new_string: 'part100 = 1000',
    });
    await page.getByRole('heading', { name: 'src/parts.ts' }).waitFor();
    await expectShown(page.getByText('removed line 100'));
    await expectShown(page.getByText('added line 100'));
    expect(await readLines()).toEqual([
      ...LINES.slice(89, 99),
      LINES[99],
      'export const part100 = 1000;',
      ...LINES.slice(100, 110),
    ]);
    expect(await readNumbers()).toEqual(['90 90', ...range(91, 99), '100 ', ' 100', ...range(101, 110)]);
    expect(await page.locator('.bg-added-strong').allTextContents()).toEqual(['1000']);
    await page.getByRole('button', { name: 'Show 20 more lines above' }).click();
    await page.getByRole('button', { name: 'Show 20 more lines below' }).click();
    expect((await readNumbers())[0]).toBe('70 70');
    expect((await readNumbers()).at(-1)).toBe('130 130');
    await page.getByRole('button', { name: 'Show all 69 lines' }).click();
    expect((await readNumbers())[0]).toBe('1 1');
  });

  test('what is copied is the text: no numbers, no signs, no marks', async () => {
    await open('Edit', { file_path: project.path('src/parts.ts'), old_string: LINES[99] ?? '', new_string: '\tone  ' });
    await page.getByText('added line 100').waitFor();
    expect(await page.locator('.mark-space').count()).toBe(1);
    const copied = await page.evaluate(() => {
      const row = (number: string): Element | undefined =>
        [...document.querySelectorAll('figure div, section div')].findLast((div) => div.textContent.startsWith(number));
      const [first, last] = [row('9999'), row('101102') ?? row('101101')];
      const selection = getSelection();
      if (first === undefined || last === undefined || selection === null) return null;
      selection.setBaseAndExtent(first, 0, last, last.childNodes.length);
      return selection
        .toString()
        .split('\n')
        .filter((line) => line !== '');
    });
    expect(copied).toEqual([LINES[98], LINES[99], '\tone  ', LINES[100]]);
  });

  test('a file that exists is marked as overwritten and compared, a new one as new', async () => {
    await open('Write', { file_path: project.path('src/parts.ts'), content: FILE.replace('part7 = 7', 'part7 = 70') });
    await expectShown(page.getByText('Overwrites the file'));
    await expectShown(page.getByText('added line 7'));
    expect(await readNumbers()).toHaveLength(18);
    await open('Write', { file_path: project.path('src/new.py'), content: 'import os\nprint("hi")' });
    await expectShown(page.getByText('New file', { exact: true }));
    await expectShown(page.getByText('no line end'));
    expect(await readLines()).toEqual(['import os', 'print("hi")']);
  });

  test('a text that the file does not have, or has twice, is shown without a place, and says so', async () => {
    const path = project.path('src/parts.ts');
    await open('Edit', { file_path: path, old_string: 'nowhere', new_string: 'x' });
    await expectShown(page.getByText('The text to be replaced is not in the file'));
    await expectShown(page.getByText('The lines are counted from the beginning of the change.'));
    await open('Edit', { file_path: path, old_string: 'part11', new_string: 'x' });
    await expectShown(page.getByText(/occurs 11 times \(lines 11, 110, 111/));
    await open('Edit', { file_path: path, old_string: 'part11', new_string: 'x', replace_all: true });
    await expectShown(page.getByText('Replaces every occurrence: there are 11.'));
    expect(await page.getByText(/^added line/).count()).toBe(11);
  });

  test('the edits of a MultiEdit are shown in one file', async () => {
    const edits = [
      { old_string: 'part10 = 10;', new_string: 'part10 = 11;' },
      { old_string: 'part150 = 150', new_string: 'part150 =  150' },
    ];
    await open('MultiEdit', { file_path: project.path('src/parts.ts'), edits });
    await expectShown(page.getByText('added line 10', { exact: true }));
    await expectShown(page.getByText('added line 150'));
    await expectShown(page.getByText('⋯ 119 unchanged lines'));
  });

  test('whitespace is made visible, and a change of whitespace alone is named', async () => {
    project.write('a.ts', 'if (a) {\n  b();\n}\n');
    await open('Edit', { file_path: project.path('a.ts'), old_string: '  b();', new_string: '\tb();' });
    await expectShown(page.getByText('Only whitespace changes'));
    expect(await page.locator('.mark-tab').count()).toBe(1);
    expect(await page.locator('.mark-space').count()).toBe(1);
    project.write('b.ts', 'a\r\nb\r\n');
    await open('Write', { file_path: project.path('b.ts'), content: 'a\nb\r\n' });
    await expectShown(page.getByText('LF', { exact: true }));
    await expectShown(page.getByText('CRLF', { exact: true }));
  });

  test('a cell of a notebook is compared with the cell', async () => {
    const cells = [{ cell_type: 'code', id: 'c1', source: ['x = 1\n', 'print(x)'] }];
    const path = project.write('n.ipynb', JSON.stringify({ cells, nbformat: 4 }));
    await open('NotebookEdit', { notebook_path: path, cell_id: 'c1', new_source: 'x = 2\nprint(x)' });
    await expectShown(page.getByText('Cell c1'));
    expect(await readLines()).toEqual(['x = 1', 'x = 2', 'print(x)']);
  });

  test('a patch of several files has a list to jump from, and each file says what becomes of it', async () => {
    project.write('src/old.ts', 'gone\n');
    const patch = [
      '*** Begin Patch',
      '*** Update File: src/parts.ts',
      '@@',
      '-export const part50 = 50;',
      '+export const part50 = 51;',
      '*** Add File: docs/new.md',
      '+# New',
      '*** Delete File: src/old.ts',
      '*** End Patch',
    ].join('\n');
    await open('apply_patch', { command: patch });
    const list = page.getByRole('navigation', { name: 'Changed files' });
    await expectShown(list.getByText('New file'));
    await expectShown(list.getByText('Deletes the file'));
    await list.getByRole('button', { name: /src\/old.ts/ }).click();
    const old = page.getByRole('region', { name: 'Changes in src/old.ts' });
    await expectShown(old.getByText('removed line 1'));
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('src/old.ts');
    await expectShown(page.getByText('added line 50'));
  });

  test('code is colored, and a line that keeps the grammar busy stays plain without holding up the page', async () => {
    const path = project.write('src/color.ts', 'const a = 1;\n');
    await open('Write', { file_path: path, content: 'const a = "two"; // three\n' });
    await page.locator('.bg-added .tok-string').getByText('"two"').waitFor();
    await expectShown(page.locator('.bg-added .tok-comment').getByText('three'));
    // Each line is below the cap, but all of them take longer than the worker may: it is ended.
    const hostile = Array.from({ length: 100 }, () => 'a'.repeat(1_900)).join('\n');
    await open('Write', { file_path: path, content: `const b = "four";\n${hostile}\n` });
    const countWorkers = (): number => page.workers().filter((worker) => worker.url().includes('highlight')).length;
    await expect.poll(countWorkers).toBe(1);
    await look(page);
    await expect.poll(countWorkers).toBe(0);
    await expectShown(page.getByText('added line 101'));
    expect(await page.locator('.bg-added [class^="tok-"]').count()).toBe(0);
    // The next text is colored again, by a new worker.
    await open('Bash', { command: 'echo "four"', description: 'Say four' });
    await page.locator('.tok-string').getByText('"four"').waitFor();
  });

  test('a file of 100,000 lines can be looked at and decided', async () => {
    const content = Array.from({ length: 100_000 }, (_, index) => `x${index}`).join('\n');
    const { id } = await open('Write', { file_path: project.path('huge.txt'), content });
    await page.getByRole('button', { name: /^Show 99600 more/ }).waitFor();
    await look(page);
    await page.keyboard.press('y');
    expect((await bench.settled(id)).answer).toEqual({ decision: 'allow' });
  });

  test('the new content of a file is edited plainly, and the diff is that of the edited call', async () => {
    const path = project.write('src/small.ts', 'a\r\nb\r\n');
    const { id } = await open('Write', { file_path: path, content: 'a\r\nc\r\n' });
    await look(page);
    await page.keyboard.press('e');
    const editor = page.getByRole('textbox', { name: 'The content of the file' });
    expect(await editor.inputValue()).toBe('a\nc\n');
    await editor.fill('a\nd\n');
    await page.getByRole('button', { name: 'Review the change' }).click();
    await page.getByRole('region', { name: 'Your change' }).getByText('added line 2').waitFor();
    await look(page);
    await page.getByRole('button', { name: 'Allow with this change' }).click();
    expect((await bench.settled(id)).answer).toEqual({
      decision: 'allow',
      updatedInput: { file_path: path, content: 'a\r\nd\r\n' },
    });
  });

  test('the arguments of an MCP call are a table, and JSON is one key away', async () => {
    await open('mcp__github__create_issue', {
      title: 'Off by one',
      url: 'https://example.com/a?b',
      body: Array.from({ length: 60 }, (_, index) => `line ${index}`).join('\n'),
      options: { labels: ['bug'], deep: { a: [1, { b: null }] } },
    });
    await expectShown(page.getByRole('heading', { name: 'Allow GitHub: create issue?' }));
    const table = page.getByRole('table');
    await expectShown(table.getByRole('row', { name: 'title Off by one' }));
    expect(await table.getByRole('link').count()).toBe(0);
    expect(await table.getByText('line 59').count()).toBe(0);
    await table.getByRole('button', { name: 'Show all 60 lines' }).click();
    await expectShown(table.getByText('line 59'));
    await page.keyboard.press('o');
    await page.getByText('"title": ').waitFor();
    expect(await table.count()).toBe(0);
    await page.getByRole('button', { name: 'Show as a table' }).click();
    await expectShown(table);
  });

  test('a path that is a link says which file changes', async () => {
    const { symlinkSync } = await import('node:fs');
    symlinkSync('/etc/hosts', project.path('innocent.txt'));
    await open('Write', { file_path: project.path('innocent.txt'), content: 'x' });
    await expectShown(page.getByText('The file that changes is /etc/hosts.'));
  });

  test('nothing scrolls sideways and axe finds nothing: light, dark, and on a narrow phone', async () => {
    const { id } = await open('Edit', {
      file_path: project.path('src/parts.ts'),
      old_string: 'part100 = 100',
      new_string: `part100 = "${'long '.repeat(80)}"`,
    });
    const colorful = await project.ask('Bash', {
      command: 'for f in *; do\n  echo "$f" # all\ndone',
      description: 'List',
    });
    for (const options of [
      { viewport: { width: 1440, height: 900 } },
      { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' as const },
      { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true },
      { viewport: { width: 320, height: 640 }, colorScheme: 'dark' as const },
    ]) {
      const other = await bench.newLoggedInPage(options);
      for (const [place, shown] of [
        [id, '.bg-added .tok-string'],
        [colorful.id, '.tok-comment'],
      ] as const) {
        await other.goto(`${bench.url}/i/${place}`);
        await other.locator(shown).first().waitFor();
        await look(other);
        expect({ options, violations: await runAxe(other) }).toEqual({ options, violations: [] });
        const width = await other.evaluate(
          () =>
            [...document.querySelectorAll('main *')].filter(
              (one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === 'auto',
            ).length,
        );
        expect(width).toBe(0);
      }
      await other.context().close();
    }
    expect(bench.troubles).toEqual([]);
  });
});

async function open(tool: string, input: JsonObject): Promise<{ id: string }> {
  const request = await project.ask(tool, input);
  await page.goto(`${bench.url}/i/${request.id}`);
  await page.getByRole('heading', { name: /^Allow / }).waitFor();
  return request;
}

/** The lines of the first diff, as they are shown. */
function readLines(): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main .whitespace-pre-wrap.flex-1')].map((line) =>
      (line.cloneNode(true) as Element).textContent.replace(/no line end$/, ''),
    ),
  );
}

/** The two numbers of each line. */
function readNumbers(): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main .whitespace-pre-wrap.flex-1')].map((line) => {
      const [before, after] = line.parentElement?.children ?? [];
      return `${before?.textContent} ${after?.textContent}`;
    }),
  );
}

function range(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `${from + index} ${from + index}`);
}
