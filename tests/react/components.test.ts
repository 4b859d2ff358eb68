/// <reference lib="dom" />
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInChromium } from './describe-in-chromium.ts';
import { PageBench } from './page-bench.ts';
import { SAMPLES } from './samples.ts';

let bench: PageBench;

describeInChromium('components in a page', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
  }, 120_000);
  afterAll(() => bench?.close());

  test('the buttons of a card send a click with the label and the key', async () => {
    await bench.render([SAMPLES['card']]);
    await bench.page.getByRole('button', { name: 'Deep Dive' }).click();
    expect(await bench.events()).toEqual([
      { action: 'click', data: { button: 'Deep Dive', id: 'revenue' }, component: 'card' },
    ]);
  });

  test('a suggestion sends its text', async () => {
    await bench.render([SAMPLES['suggestions']]);
    await bench.page.getByRole('button', { name: 'Show the forecast' }).press('Enter');
    expect(await bench.events()).toEqual([
      { action: 'select', data: { value: 'Show the forecast', id: 'next' }, component: 'suggestions' },
    ]);
  });

  test('a table is sorted by its headings, and a row is chosen by its button', async () => {
    await bench.render([SAMPLES['table']]);
    const names = bench.page.getByRole('rowheader');
    const heading = bench.page.getByRole('columnheader', { name: 'Revenue' });
    expect(await names.allTextContents()).toEqual(['North America', 'Europe', 'Asia-Pacific']);
    await heading.getByRole('button').click();
    expect(await names.allTextContents()).toEqual(['Asia-Pacific', 'Europe', 'North America']);
    expect(await heading.getAttribute('aria-sort')).toBe('ascending');
    await heading.getByRole('button').click();
    expect(await names.allTextContents()).toEqual(['North America', 'Europe', 'Asia-Pacific']);
    // What is missing comes last, whichever way round.
    const lead = bench.page.getByRole('columnheader', { name: 'Lead' }).getByRole('button');
    await lead.click();
    await lead.click();
    expect(await names.allTextContents()).toEqual(['Europe', 'North America', 'Asia-Pacific']);
    await bench.page.getByRole('button', { name: 'Choose Europe' }).click();
    expect(await bench.events()).toEqual([
      {
        action: 'select',
        data: { id: 'eu', name: 'Europe', attributes: { revenue: 0.8, growth: '+11%', lead: 'Grace' } },
        component: 'table',
      },
    ]);
  });

  test('the button of a row stays in sight where the table is wider than its place', async () => {
    await bench.page.setViewportSize({ width: 390, height: 800 });
    const long = { revenue: 1.2, growth: 'a-word-that-is-quite-long', lead: 'another-word-that-is-long' };
    await bench.render([{ ...SAMPLES['table'], items: [{ name: 'North-America', attributes: long }] }]);
    const [place, button] = await Promise.all([
      bench.page.getByRole('region', { name: 'Revenue by region' }).boundingBox(),
      bench.page.getByRole('button', { name: 'Choose North-America' }).boundingBox(),
    ]);
    const endOf = (box: typeof place): number => (box === null ? Number.NaN : box.x + box.width);
    expect(endOf(button)).toBeLessThanOrEqual(endOf(place));
    await bench.page.setViewportSize({ width: 1280, height: 720 });
  });

  test('tabs are moved through with the arrow keys, and tell only where they are asked to', async () => {
    await bench.render([SAMPLES['tabs'], { ...SAMPLES['tabs'], notify: false }]);
    const [first, second] = [bench.page.getByRole('tablist').first(), bench.page.getByRole('tablist').last()];
    const panel = bench.page.getByRole('tabpanel').first();
    await first.getByRole('tab', { name: 'Q3' }).focus();
    await bench.page.keyboard.press('ArrowRight');
    expect(await bench.page.evaluate(() => document.activeElement?.textContent)).toBe('Q2');
    expect(await panel.textContent()).toContain('$2.1M');
    await bench.page.keyboard.press('End');
    await bench.page.keyboard.press('ArrowRight');
    expect(await first.getByRole('tab', { selected: true }).textContent()).toBe('Q3');
    await second.getByRole('tab', { name: 'Q1' }).click();
    expect(await bench.events()).toEqual(
      ['q2', 'q1', 'q3'].map((tab) => ({ action: 'change', data: { tab, id: 'quarters' }, component: 'tabs' })),
    );
  });

  test('sections of an accordion open and close', async () => {
    await bench.render([SAMPLES['accordion']]);
    const section = bench.page.getByRole('button', { name: 'Which currencies?' });
    expect(await section.getAttribute('aria-expanded')).toBe('false');
    await section.press('Space');
    await bench.page.getByRole('region', { name: 'Which currencies?' }).waitFor();
    await section.click();
    expect(await bench.page.getByRole('region', { name: 'Which currencies?' }).count()).toBe(0);
    expect(await bench.events()).toEqual(
      [true, false].map((open) => ({
        action: 'change',
        data: { label: 'Which currencies?', open, id: 'faq' },
        component: 'accordion',
      })),
    );
  });

  test('a form says what is wrong, goes there, and sends its values when they are right', async () => {
    await bench.render([SAMPLES['form']]);
    const { page } = bench;
    const budget = page.getByLabel('Budget');
    await budget.fill('7');
    await page.getByRole('button', { name: 'Plan it' }).click();
    expect(await page.getByRole('alert').allTextContents()).toEqual(['This field is required.', 'Enter 100 or more.']);
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).labels?.[0]?.textContent)).toContain(
      'Name',
    );
    expect(await bench.events()).toEqual([]);
    await page.getByLabel('Name').fill('Spring');
    await budget.fill('1500.5');
    await page.getByLabel('Region').selectOption('eu');
    await page.getByLabel('Search').check();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByLabel('Name').press('Enter');
    const values = { name: 'Spring', budget: 1500.5, region: 'eu', channels: ['mail', 'search'], now: true };
    expect(await bench.events()).toEqual([{ action: 'submit', data: { values, id: 'budget' }, component: 'form' }]);
  });

  test.each([
    ['email', 'nobody', 'ada@example.com'],
    ['url', 'javascript:x', 'https://example.com'],
    ['number', '', '3'],
  ])('a field of the kind %s takes only that', async (kind, wrong, right) => {
    await bench.render([{ type: 'form', fields: [{ name: 'x', kind, required: true }] }]);
    const [field, send] = [bench.page.getByLabel('x'), bench.page.getByRole('button', { name: 'Send' })];
    await field.fill(wrong);
    await send.click();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await field.fill(right);
    await send.click();
    expect(await bench.events()).toMatchObject([{ action: 'submit', data: { values: { x: expect.anything() } } }]);
  });

  test('each change of a form is told where the agent wants it', async () => {
    await bench.render([{ type: 'form', notify: true, fields: [{ name: '__proto__', kind: 'checkbox' }] }]);
    await bench.page.getByRole('checkbox').check();
    expect(await bench.events()).toMatchObject([{ action: 'change', data: { name: '__proto__', value: true } }]);
  });

  test('a value of a chart is chosen with the keyboard, and all are in a table', async () => {
    await bench.render([SAMPLES['chart']]);
    await bench.page.getByRole('button', { name: 'Q2, Europe: $720,000' }).press('Enter');
    expect(await bench.events()).toEqual([
      {
        action: 'select',
        data: { label: 'Q2', series: 'Europe', value: 720_000, id: 'by-quarter' },
        component: 'chart',
      },
    ]);
    await bench.page.getByText('Show as a table').click();
    expect(await bench.page.getByRole('cell', { name: '$1,240,000' }).isVisible()).toBe(true);
  });

  test.each([
    ['no values', { kind: 'line', labels: [], series: [] }],
    ['only gaps', { kind: 'area', labels: ['a'], series: [{ values: [null] }] }],
    ['zeros', { kind: 'pie', labels: ['a', 'b'], series: [{ values: [0, -1] }] }],
    ['one slice', { kind: 'pie', labels: ['a'], series: [{ values: [5] }] }],
    ['the largest numbers', { kind: 'bar', labels: ['a', 'b'], series: [{ values: [-1.7e308, 1.7e308] }] }],
    ['the smallest numbers', { kind: 'bar', labels: ['a'], series: [{ values: [5e-324] }] }],
    ['more values than labels', { kind: 'line', labels: ['a'], series: [{ values: [1, 2, 3] }] }],
    [
      'very many values',
      { kind: 'bar', labels: [], series: [{ values: Array.from({ length: 50_000 }, (_, n) => n) }] },
    ],
  ])('a chart with %s is drawn without nonsense', async (_, chart) => {
    await bench.render([{ type: 'chart', ...chart }]);
    const svg = bench.page.locator('.beckon-chart svg');
    await svg.waitFor();
    expect(await svg.innerHTML()).not.toMatch(/NaN|Infinity/);
    expect(await bench.page.getByRole('note').count()).toBe(0);
  });

  test('an array is a stack, an array in it a row, and so on', async () => {
    const text = (content: string) => ({ type: 'markdown', content });
    await bench.render([text('a'), [text('b'), [text('c'), [text('d'), text('e')]]]]);
    const place = async (content: string) => (await bench.page.getByText(content, { exact: true }).boundingBox())!;
    const [a, b, c, d, e] = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(place));
    expect(b!.y).toBeGreaterThan(a!.y);
    expect([c!.y, c!.x > b!.x]).toEqual([b!.y, true]);
    expect(d!.y).toBeGreaterThan(c!.y);
    expect([e!.y, e!.x > d!.x]).toEqual([d!.y, true]);
  });

  test('one broken part says what is wrong with it, and the rest stays', async () => {
    await bench.render(
      [
        { type: 'card', title: 'Fine', content: [{ type: 'markdown' }, { type: 'markdown', content: 'Inside' }] },
        [
          { type: 'image', src: 'javascript:alert(1)' },
          { type: 'card', title: 'Beside' },
        ],
        { type: 'gallery' },
        { type: 'bomb' },
        'text',
        null,
        { type: 'gauge', value: 3, key: 'g' },
        { type: 'citation', title: 'Own' },
        { type: 'citation', title: 'Own', url: 'javascript:x' },
      ],
      { hasOwn: true },
    );
    const problems = await bench.page.getByRole('note').allTextContents();
    expect(problems).toEqual([
      expect.stringContaining('markdowncontent: expected string'),
      expect.stringContaining('imagesrc: expected an http(s) address'),
      expect.stringContaining('gallerythere is no component "gallery"'),
      expect.stringContaining('bombIt failed while being drawn: it went off'),
      expect.stringContaining('expected a component'),
      expect.stringContaining('expected a component'),
      expect.stringContaining('citationurl: expected an http(s) or mailto address'),
    ]);
    for (const text of ['Fine', 'Inside', 'Beside', 'Source Own'])
      await bench.page.getByText(text, { exact: true }).waitFor();
    await bench.page.getByRole('button', { name: 'Gauge 3' }).click();
    expect(await bench.events()).toEqual([{ action: 'click', data: { value: 3, id: 'g' }, component: 'gauge' }]);
  });

  test('a tree that is too deep or too large is cut, and says so', async () => {
    let deep: object = { type: 'markdown', content: 'x' };
    for (let level = 0; level < 500; level += 1) deep = { type: 'card', content: deep };
    await bench.render(deep);
    expect(await bench.page.getByRole('note').textContent()).toContain('expected at most 32 levels');
    await bench.render(Array.from({ length: 5100 }, () => ({ type: 'card', title: 'x' })));
    expect(await bench.page.getByRole('note').textContent()).toContain('expected at most 5000 components');
    expect(await bench.page.locator('.beckon-card').count()).toBe(5000);
  });

  test('where nobody listens, nothing can be sent', async () => {
    await bench.render(Object.values(SAMPLES), { isReadOnly: true });
    await bench.page.locator('.beckon-chart svg').waitFor();
    for (const name of ['Deep Dive', 'Choose Europe', 'Show the forecast', 'Plan it']) {
      expect(await bench.page.getByRole('button', { name }).isDisabled()).toBe(true);
    }
    expect(await bench.page.locator('.beckon-chart [role="button"]').count()).toBe(0);
  });

  test('an embed cannot reach the page around it', async () => {
    await bench.browser.route('https://maps.example.com/**', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<script>let r="blocked";try{r=parent.document.title}catch{};document.title=r+":"+origin</script>',
      }),
    );
    await bench.render([SAMPLES['embed']]);
    const frame = bench.page.frameLocator('iframe');
    await expect.poll(() => frame.locator('title').textContent()).toBe('blocked:null');
    expect(await bench.page.locator('iframe').getAttribute('sandbox')).toBe('allow-scripts');
  });

  test('links in Markdown open elsewhere and tell nothing about us', async () => {
    await bench.render([SAMPLES['markdown']]);
    const link = bench.page.getByRole('link', { name: 'report' });
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    expect(await link.getAttribute('target')).toBe('_blank');
  });
});
