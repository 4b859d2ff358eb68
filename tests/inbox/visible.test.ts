/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countHidden, toVisible } from '../../packages/beckon/src/presentation/visible.ts';
import { listUnseen, readMarks, TELLING, writeCodePoints } from '../harness/code-points.ts';
import { describeInBrowser, expectShown, PageBench } from './page-bench.ts';

const LIMIT_MS = 60_000;

let bench: PageBench;
let page: Page;

describeInBrowser('what would not be seen', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
    page = bench.page;
    await bench.logIn();
  });
  afterAll(() => bench?.close());

  test('every code point alone is marked in a plan as everywhere else', async () => {
    for (const plan of writeCodePoints((character) => character)) {
      const { marks, warning } = await look({ kind: 'plan_review', request: { plan, toolInput: {} } });
      expect(marks === listUnseen(plan)).toBe(true);
      expect(marks === readMarks(toVisible(plan))).toBe(true);
      expectCount(warning, countHidden(plan, 'prose'));
    }
  });

  test('every code point between letters is marked in a command as everywhere else', async () => {
    for (const command of writeCodePoints((character) => `a${character}b`)) {
      const { marks, warning } = await look({ kind: 'approval', request: { tool: 'Bash', input: { command } } });
      expect(marks === readMarks(toVisible(command, 'code'))).toBe(true);
      expectCount(warning, countHidden(command, 'code'));
    }
  });

  test.each(Object.entries(TELLING))(
    'of %s: heading, row and a field of any tool mark the same',
    async (name, text) => {
      const tool = `${name}${text}`;
      const id = await bench.ask({ kind: 'approval', request: { tool, input: { path: `x${text}` } } });
      await page.goto(`${bench.url}/i/${id}`);
      const marks = readMarks(toVisible(tool, 'code'));
      const heading = page.getByRole('heading', { name: `Allow ${name}` });
      expect(readMarks(await heading.innerText())).toBe(marks);
      const row = await page.locator(`a[data-id="${id}"] bdi`).first().innerText();
      expect(readMarks(row.split(': ')[0] ?? '')).toBe(marks);
      const input = page.getByRole('region', { name: 'Input' });
      expect(readMarks(await input.innerText())).toBe(readMarks(toVisible(`x${text}`, 'code')));
      await page.getByText(/invisible or look/).waitFor();
    },
  );

  test('a tool that poses as another is marked in the heading and in the list, in part and as a whole', async () => {
    for (const [tool, shown] of [
      ['Bаsh', 'Bа[U+0430]sh'],
      ['Ваѕһ', 'В[U+0412]а[U+0430]ѕ[U+0455]һ[U+04BB]'],
    ] as const) {
      const id = await bench.ask({ kind: 'approval', request: { tool, input: { command: 'ls' } } });
      await page.goto(`${bench.url}/i/${id}`);
      await expectShown(page.getByRole('heading', { name: `Allow ${shown}?`, exact: true }));
      await page.locator(`a[data-id="${id}"]`, { hasText: `${shown}: ls` }).waitFor();
      await bench.call(`/v1/interactions/${id}/cancel`, {});
      await page.getByRole('heading', { name: shown, exact: true }).waitFor();
    }
  });

  test('a letter that a change swaps for its twin is marked in the diff', async () => {
    const input = { file_path: '/etc/hоsts', old_string: 'host paypal.com', new_string: 'host pаypal.com' };
    const id = await bench.ask({ kind: 'approval', request: { tool: 'Edit', input } });
    await page.goto(`${bench.url}/i/${id}`);
    const file = page.getByRole('region', { name: /^Changes in / });
    await file.getByText('а[U+0430]').waitFor();
    expect(readMarks(await file.innerText())).toBe('U+043E U+0430');
  });

  test('a plan of Claude Code offers nothing about a context that it cannot clear', async () => {
    const request = { plan: '# Plan', toolInput: {} };
    const article = page.getByRole('article');
    const choices = page.getByRole('group', { name: 'Decision' });
    const open = async (metadata: object): Promise<string> => {
      const id = await bench.ask({ kind: 'plan_review', request, metadata });
      await page.goto(`${bench.url}/i/${id}`);
      await choices.waitFor();
      return id;
    };
    await open({});
    expect(await choices.innerText()).toContain('Accept, with a clear context, and ask before each edit');
    const id = await open({ agent: 'claude-code' });
    expect(await article.innerText()).not.toMatch(/context|forget/i);
    expect(await choices.getByRole('button', { name: /^(?:Accept|Send back)/ }).count()).toBe(3);
    // A "yes" in words is the decision that would clear the context elsewhere.
    await bench.answer(id, { decision: 'yes' });
    await page.getByText('Accepted', { exact: true }).waitFor();
  });

  test('nothing was thrown, and no policy was broken', () => {
    expect(bench.troubles).toEqual([]);
  });
});

/** Opens an interaction, asks for all of it, and gives what the page marked and what it says of it. */
async function look(input: { kind: string; request: unknown }): Promise<{ marks: string; warning: string }> {
  const id = await bench.ask(input);
  const { shown, warning } = await page.evaluate(readAll, { path: `/i/${id}`, limitMs: LIMIT_MS });
  await bench.call(`/v1/interactions/${id}/cancel`, {});
  return { marks: readMarks(shown), warning };
}

/** Runs in the page, which is not drawn meanwhile: nobody looks at a million marks, and what is read is the same. */
async function readAll({
  path,
  limitMs,
}: {
  path: string;
  limitMs: number;
}): Promise<{ shown: string; warning: string }> {
  const root = document.querySelector<HTMLElement>('#root');
  if (root !== null) root.style.display = 'none';
  const until = async <Value>(what: string, find: () => Value | null | undefined | false): Promise<Value> => {
    const end = performance.now() + limitMs;
    for (;;) {
      const found = find();
      if (found) return found;
      if (performance.now() > end) throw new Error(`Still waiting for ${what} at ${path}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  window.history.pushState(null, '', '/nowhere');
  await until('the article to go', () => document.querySelector('article') === null);
  window.history.pushState(null, '', path);
  const text = await until('the text', () => document.querySelector('article .font-mono.leading-5'));
  const findRest = (): HTMLElement | undefined =>
    [...document.querySelectorAll<HTMLElement>('article button')].find((button) =>
      button.textContent.startsWith('Show the rest'),
    );
  for (let rest = findRest(); rest !== undefined; rest = findRest()) {
    const { length } = text.children;
    rest.click();
    await until('more of it', () => text.children.length > length);
  }
  const said = document.querySelector('article')?.textContent ?? '';
  const [warning = ''] = /\d+ characters here are invisible or look like others/.exec(said) ?? [];
  const shown = text.textContent;
  if (root !== null) root.style.display = '';
  return { shown, warning };
}

function expectCount(warning: string, count: number): void {
  expect(warning).toBe(count === 0 ? '' : `${count} characters here are invisible or look like others`);
}
