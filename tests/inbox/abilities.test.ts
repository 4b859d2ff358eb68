import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, expectShown, look, PageBench } from './page-bench.ts';
import { pressRemember } from './rule-asks.ts';

let bench: PageBench;
let page: Page;

const NOTHING = { denyText: false, editInput: false, remember: false };
const SUGGESTIONS = [
  {
    type: 'addRules',
    behavior: 'allow',
    destination: 'session',
    rules: [{ toolName: 'Bash', ruleContent: 'npm test' }],
  },
];
const COMMAND = { tool: 'Bash', input: { command: 'npm test' }, suggestions: SUGGESTIONS };
const OPTIONS = [{ label: 'SQLite' }, { label: 'Postgres' }];

describeInBrowser('the page offers only what the agent can do', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
    page = bench.page;
    await page.setViewportSize({ width: 1600, height: 900 });
    await bench.logIn();
  });
  afterAll(() => bench?.close());

  test('an approval of an agent that can do everything has a reason, an edit and a rule of the agent', async () => {
    await show({ kind: 'approval', request: COMMAND });
    for (const name of ['Deny, because…', 'Edit', 'Remember…']) await expectShown(button(name));
    await pressRemember(page);
    await page
      .getByRole('dialog')
      .getByRole('radio', { name: /Allow Bash\(npm test\), for this session/ })
      .waitFor();
  });

  test('an approval of one that cannot has neither, but Beckon still remembers', async () => {
    const id = await show({ kind: 'approval', request: { ...COMMAND, abilities: NOTHING } });
    await button('Remember…').waitFor();
    expect(await button('Deny, because…').count()).toBe(0);
    expect(await button('Edit').count()).toBe(0);
    await page.keyboard.press('r');
    await page.keyboard.press('e');
    expect(await page.getByRole('textbox', { name: /Why not|Command/ }).count()).toBe(0);
    await pressRemember(page);
    const dialog = page.getByRole('dialog', { name: 'Remember' });
    await dialog.getByRole('radio').first().waitFor();
    expect(await dialog.getByText('own rule').count()).toBe(0);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await look(page);
    await page.keyboard.press('n');
    expect((await bench.settled(id)).answer).toEqual({ decision: 'deny' });
  });

  test('a plan has the decisions of its agent, and is not edited, commented on or sent back with feedback', async () => {
    const abilities = { decisions: ['default', 'adjust'], feedback: false, editPlan: false };
    const id = await show({ kind: 'plan_review', request: { plan: '# The plan\n\n1. Write it\n', abilities } });
    await button('Accept, and ask before each edit').waitFor();
    expect(await page.getByRole('button', { name: /^Accept/ }).count()).toBe(1);
    expect(await page.getByText('clear context').count()).toBe(0);
    expect(await button('Edit').count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Comment on line/ }).count()).toBe(0);
    await page.keyboard.press('r');
    expect(await page.getByRole('textbox', { name: 'What should change?' }).count()).toBe(0);
    await button('Send back').click();
    expect((await bench.settled(id)).answer).toEqual({ decision: 'adjust' });
  });

  test('a question has its options, and no field for own words or notes', async () => {
    const request = { question: 'Which?', options: OPTIONS, abilities: { ownWords: false, notes: false } };
    const id = await show({ kind: 'question', request });
    await page.getByText('Choose one', { exact: true }).waitFor();
    expect(await page.getByRole('radio').count()).toBe(OPTIONS.length);
    expect(await button('Add notes').count()).toBe(0);
    await page.keyboard.press('3');
    await page.keyboard.press('2');
    await page.keyboard.press('Enter');
    expect((await bench.settled(id)).answer).toEqual({ text: 'Postgres', selected: ['Postgres'] });
  });

  test('several are denied without a reason if one of them could not read it', async () => {
    await Promise.all((await listPending()).map((id) => bench.answer(id, { decision: 'deny' })));
    const ids = [
      await bench.ask({ kind: 'approval', request: COMMAND }),
      await bench.ask({ kind: 'approval', request: { ...COMMAND, abilities: NOTHING } }),
    ];
    await page.goto(bench.url);
    const rows = page.getByRole('list', { name: 'Pending requests' }).getByRole('link');
    await rows.nth(1).waitFor();
    for (const row of await rows.all()) {
      await row.focus();
      await page.keyboard.press('x');
    }
    await page.getByText('2 selected').waitFor();
    await button('Decide together…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('One of these agents cannot read a reason.').waitFor();
    expect(await dialog.getByRole('textbox').count()).toBe(0);
    const deny = dialog.getByRole('button', { name: 'Deny all 2' });
    await deny.and(page.locator('[aria-disabled="false"]')).waitFor();
    await deny.click();
    for (const id of ids) expect((await bench.settled(id)).answer).toEqual({ decision: 'deny' });
  });
});

/** Asks over HTTP, and opens it in the page. */
async function show(ask: { kind: string; request: unknown }): Promise<string> {
  const id = await bench.ask(ask);
  await page.goto(`${bench.url}/i/${id}`);
  await page.locator('article :is(form, h2, section)').first().waitFor();
  await look(page);
  return id;
}

function button(name: string): Locator {
  return page.getByRole('button', { name, exact: true });
}

async function listPending(): Promise<string[]> {
  const { items } = await bench.call<{ items: { id: string }[] }>('/v1/interactions?status=pending');
  return items.map(({ id }) => id);
}
