/// <reference lib="dom" />
import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchForAlarms } from '../harness/alarms.ts';
import { HOSTILE_TEXTS } from '../inbox/hostile-texts.ts';
import { describeInChromium } from './describe-in-chromium.ts';
import { PageBench } from './page-bench.ts';

/** A page that has not reacted by then is not usable. Machines that run tests are slow. */
const LIMIT_MS = 60_000;

let bench: PageBench;
/** What must not happen, in words. */
let alarms: string[];

describeInChromium('hostile agents', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
    alarms = await watchForAlarms(bench.page, ({ origin, href }) => origin === bench.url || href === 'data:,');
    await bench.page.reload();
  }, 120_000);
  afterAll(() => bench?.close());

  test('whatever an agent writes, nothing runs, nothing is loaded, and the rest can be used', async () => {
    expect(Object.keys(HOSTILE_TEXTS).length).toBeGreaterThan(100);
    for (const [name, text] of Object.entries(HOSTILE_TEXTS)) {
      await bench.render(toTree(text));
      await useEverything();
      expect({ name, traps: await findTraps(), alarms }).toEqual({ name, traps: [], alarms: [] });
    }
  }, 900_000);

  test.each([
    'javascript:window.__pwned=1',
    'JaVaScRiPt:window.__pwned=1',
    'java\nscript:window.__pwned=1',
    ' javascript:1',
    'data:text/html,<script>parent.__pwned=1</script>',
    'data:image/svg+xml,<svg onload="window.__pwned=1"/>',
    'vbscript:x',
    'blob:http://evil.test/a',
    'file:///etc/passwd',
    '//evil.test/a',
    '/v1/logout',
    'https://a@evil.test',
  ])('the address %j leads nowhere and loads nothing', async (address) => {
    await bench.render([
      { type: 'image', src: address },
      { type: 'embed', url: address },
      { type: 'citation', title: 'click', url: address },
      { type: 'markdown', content: `[click](<${address}>) ![image](<${address}>)` },
      { type: 'card', title: 'Rest', actions: ['Usable'] },
    ]);
    await bench.page.getByRole('button', { name: 'Usable' }).click();
    expect(await bench.events()).toHaveLength(1);
    expect(await bench.page.getByRole('note').count()).toBe(3);
    expect(await findTraps()).toEqual([]);
    expect(alarms).toEqual([]);
  });

  test.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString'])(
    'a component, a field or a column called %s harms nobody',
    async (name) => {
      await bench.render([
        JSON.parse(`{ "type": ${JSON.stringify(name)}, "${name}": { "x": 1 } }`),
        { type: 'form', fields: [{ name, required: true }] },
        {
          type: 'table',
          attributes: [{ key: name }],
          items: [{ attributes: JSON.parse(`{ "${name}": "cell" }`) }, { attributes: {} }],
        },
      ]);
      expect(await bench.page.getByRole('note').textContent()).toContain(`there is no component "${name}"`);
      await bench.page.getByRole('textbox').fill('value');
      await bench.page.getByRole('button', { name: 'Send' }).click();
      expect(JSON.stringify(await bench.page.evaluate(() => JSON.stringify(testPage.events)))).toContain('value');
      expect(await bench.page.evaluate(() => ({}) as Record<string, unknown>)).toEqual({});
    },
  );

  test('what was watched for would have been seen', async () => {
    await bench.page.evaluate(() => {
      const image = document.createElement('img');
      image.src = 'http://evil.test/seen.png';
      document.querySelector('.beckon')?.append(image);
      const script = document.createElement('script');
      script.textContent = 'window.__pwned=1';
      document.body.append(script);
    });
    await expect.poll(() => alarms).toEqual(expect.arrayContaining(['request to http://evil.test/seen.png', 'ran: 1']));
    expect(await findTraps()).not.toEqual([]);
  });
});

/** A text everywhere where an agent writes text. */
function toTree(text: string): unknown[] {
  const short = text.slice(0, 2_000);
  return [
    { type: 'markdown', content: text },
    { type: 'card', key: short, title: short, content: text, actions: [short], metadata: short },
    {
      type: 'table',
      title: short,
      attributes: [{ key: 'a', label: short }],
      items: [{ name: short, attributes: { a: short } }],
    },
    { type: 'timeline', title: short, events: [{ date: short, title: short, description: short }] },
    { type: 'accordion', title: short, items: [{ label: short, content: text, open: true }] },
    { type: 'tabs', tabs: [{ id: short, label: short, content: text }] },
    { type: 'citation', title: short, author: short, date: short, quote: short, content: text },
    { type: 'suggestions', suggestions: [short] },
    {
      type: 'form',
      title: short,
      description: short,
      fields: [
        { name: short, label: short, description: short, placeholder: short, value: short },
        { name: 'b', kind: 'select', options: [{ value: short, label: short }], value: short },
      ],
      submit: 'Send it',
    },
    {
      type: 'chart',
      title: short,
      kind: 'bar',
      unit: short,
      selectable: true,
      labels: [short],
      series: [{ name: short, values: [1] }],
    },
    { type: short },
    { type: 'image', src: short },
    { type: 'embed', url: short, title: short, height: short },
    { type: 'card', title: 'Rest', actions: ['Usable'] },
  ];
}

/** Does what a person would do, and finds that it counts. */
async function useEverything(): Promise<void> {
  const { page } = bench;
  await page.locator('.beckon-chart svg').waitFor();
  await page.getByRole('button', { name: 'Usable', exact: true }).click({ timeout: LIMIT_MS });
  await page.getByRole('button', { name: 'Send it', exact: true }).click({ timeout: LIMIT_MS });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  expect(await page.evaluate(() => testPage.events.map(({ action }) => action))).toEqual(['click', 'submit']);
}

/** What on the page could run, load, send or cover something. */
function findTraps(): Promise<string[]> {
  return bench.page.evaluate(() => {
    const root = document.querySelector('.beckon');
    if (root === null) return ['the tree is gone'];
    const elements = [...root.querySelectorAll('*')];
    const forbidden =
      'script, style, link, meta, base, object, embed, iframe, img, video, audio, picture, source, dialog, template';
    return elements.flatMap((element) => {
      const found: string[] = element.matches(forbidden) ? [element.tagName] : [];
      for (const { name, value } of element.attributes) {
        if (name.startsWith('on') || name === 'srcdoc' || name === 'style')
          found.push(`${element.tagName} ${name}=${value}`);
        if (
          ['href', 'src', 'action', 'formaction', 'xlink:href'].includes(name) &&
          !/^(?:https?:\/\/|mailto:)/.test(value)
        ) {
          found.push(`${element.tagName} ${name}=${value}`);
        }
        if (name === 'class' && !value.split(' ').every((one) => one.startsWith('beckon')))
          found.push(`class ${value}`);
      }
      if (element.matches('a') && element.getAttribute('rel') !== 'noopener noreferrer nofollow')
        found.push('a without rel');
      if (getComputedStyle(element).position === 'fixed') found.push(`${element.tagName} is fixed`);
      return found;
    });
  });
}
