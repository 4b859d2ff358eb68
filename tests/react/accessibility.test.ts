/// <reference lib="dom" />
import axe from 'axe-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInChromium } from './describe-in-chromium.ts';
import { PageBench } from './page-bench.ts';
import { SAMPLES } from './samples.ts';

const tree = [
  {
    type: 'accordion',
    items: [{ label: 'Without a title', content: '### Deep\n\n# High\n\n###### Deepest', open: true }],
  },
  ...Object.values(SAMPLES),
  { type: 'nonsense' },
  { type: 'chart', kind: 'pie', labels: ['a'], series: [{ values: [1] }] },
];
let first: PageBench;

describeInChromium('accessibility and looks', () => {
  beforeAll(async () => {
    first = await PageBench.open();
  });
  afterAll(() => first?.close());

  test.each([
    ['light', 320],
    ['dark', 320],
    ['light', 1024],
    ['dark', 1024],
  ] as const)(
    'in %s at %i pixels everything has a name and can be read, and nothing sticks out',
    async (theme, width) => {
      const bench = await first.openAnother({ colorScheme: theme, viewport: { width, height: 800 } });
      await bench.browser.route('https://**', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<html lang="en"><title>x</title>' }),
      );
      await bench.render(tree);
      await bench.page.locator('.beckon-chart svg').first().waitFor();
      await bench.page.getByRole('button', { name: 'Plan it' }).click();
      await bench.page.getByRole('heading', { name: 'Summary' }).waitFor();
      await bench.page.addScriptTag({ content: axe.source });
      const violations = await bench.page.evaluate(async () => {
        const { axe: checker } = globalThis as unknown as {
          axe: { run: (options: object) => Promise<{ violations: Violation[] }> };
        };
        // The page around has the first heading.
        const rules = { 'page-has-heading-one': { enabled: false } };
        return (await checker.run({ rules, iframes: false })).violations.map(
          ({ id, nodes }) => `${id}: ${nodes[0]?.html}`,
        );
      });
      expect(violations).toEqual([]);
      expect(await bench.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    },
  );

  interface Violation {
    id: string;
    nodes: { html: string }[];
  }

  test('data-theme says more than the system, and variables more than both', async () => {
    const bench = await first.openAnother({ colorScheme: 'light' });
    await bench.render([SAMPLES['card']]);
    const read = () => bench.page.locator('.beckon-card').evaluate((card) => getComputedStyle(card).backgroundColor);
    expect(await read()).toBe('rgb(255, 255, 255)');
    await bench.page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'));
    expect(await read()).toBe('rgb(28, 31, 36)');
    await bench.page.evaluate(() => document.documentElement.style.setProperty('--beckon-surface', 'rgb(1, 2, 3)'));
    expect(await read()).toBe('rgb(1, 2, 3)');
  });
});
