/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAxe } from './axe.ts';
import { describeInBrowser, expectShown, look, PageBench } from './page-bench.ts';
import { pressRemember } from './rule-asks.ts';

let bench: PageBench;
let page: Page;

const DATABASE = {
  kind: 'question',
  request: {
    question: 'Which database?',
    options: [
      { label: 'SQLite', description: 'embedded', preview: 'one file' },
      { label: 'Postgres', preview: 'a server' },
    ],
  },
};
const FEATURES = {
  kind: 'question',
  request: {
    question: 'Which features?',
    multiSelect: true,
    options: [{ label: 'Auth' }, { label: 'Billing' }, { label: 'Search' }],
  },
};
const PLAN = { kind: 'plan_review', request: { plan: '# The plan\n\n1. Write it\n2. Ship it\n' } };
const COMMAND = {
  kind: 'approval',
  request: {
    tool: 'Bash',
    input: { command: 'npm run deploy', description: 'Deploy' },
    suggestions: [
      {
        type: 'addRules',
        behavior: 'allow',
        destination: 'session',
        rules: [{ toolName: 'Bash', ruleContent: 'npm run deploy' }],
      },
    ],
  },
};
const EDIT = {
  kind: 'approval',
  request: { tool: 'Edit', input: { file_path: '/app/port.ts', old_string: 'port = 80;', new_string: 'port = 8080;' } },
};
const FORM = {
  kind: 'form',
  request: {
    message: 'Where to?',
    schema: {
      type: 'object',
      required: ['name', 'replicas', 'notify'],
      properties: {
        name: { type: 'string', title: 'Name', pattern: '^[a-z]+$' },
        replicas: { type: 'integer', title: 'Replicas', minimum: 1 },
        notify: { type: 'boolean', title: 'Notify?' },
        region: { enum: ['eu', 'us'], title: 'Region' },
        tags: { type: 'array', title: 'Tags', items: { type: 'string' } },
        owner: {
          type: 'object',
          title: 'Owner',
          required: ['team'],
          properties: { team: { type: 'string', title: 'Team' } },
        },
      },
    },
  },
};
const COMPONENT = {
  kind: 'component',
  request: {
    components: [
      { type: 'card', title: 'Sales' },
      { type: 'button', id: 'b', label: 'Export', action: 'export', data: { as: 'csv' } },
    ],
  },
};
const DRAWN = {
  kind: 'component',
  request: {
    components: [
      { type: 'card', key: 'sales', title: 'Sales', content: 'Down **12 %**', actions: ['Deep Dive'] },
      [
        { type: 'image', src: 'https://example.com/map.png', alt: 'A map' },
        {
          type: 'chart',
          title: 'By week',
          kind: 'bar',
          labels: ['45', '46'],
          series: [{ name: 'EUR', values: [3, 2] }],
        },
      ],
      { type: 'suggestions', suggestions: ['Compare with last year'] },
    ],
  },
};

describeInBrowser('the forms', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
    page = bench.page;
    await bench.logIn();
  });
  afterAll(() => bench?.close());

  test('a number and Enter answer a question', async () => {
    const id = await show(DATABASE);
    await page.keyboard.press('2');
    await page.getByText('a server').waitFor();
    await page.keyboard.press('Enter');
    expect(await answerOf(id)).toEqual({ text: 'Postgres', selected: ['Postgres'] });
  });

  test('Enter without a choice says what is missing in a question', async () => {
    const [button, missing] = ['Answer', 'Choose an option, or write an answer.'];
    await show(DATABASE);
    await page.getByRole('button', { name: button }).press('Enter');
    await page.getByText(missing).waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('radio');
    // The same where nothing of the form has the focus, as right after it was opened.
    await page.reload();
    await page.getByRole('button', { name: button }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(missing).waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('radio');
  });

  test('Enter leads to a choice that was kept, and a second one sends it', async () => {
    const id = await show(DATABASE);
    await page.keyboard.press('2');
    await page.reload();
    await page.getByRole('radio', { name: 'Postgres', checked: true }).waitFor();
    await look(page);
    await page.keyboard.press('Enter');
    await page.getByRole('radio', { name: 'Postgres' }).and(page.locator(':focus')).waitFor();
    expect(await bench.call(`/v1/interactions/${id}`)).toMatchObject({ status: 'pending' });
    await page.keyboard.press('Enter');
    expect(await answerOf(id)).toMatchObject({ selected: ['Postgres'] });
  });

  test('the header of a question that stands alone is shown, also when it was answered', async () => {
    const id = await show({ kind: 'question', request: { question: 'Which ones?', header: 'Toppings' } });
    await page.getByRole('article').getByText('Toppings', { exact: true }).waitFor();
    await bench.answer(id, { text: 'None' });
    await page.getByRole('heading', { name: /in Telegram/ }).waitFor();
    await expectShown(page.getByRole('article').getByText('Toppings', { exact: true }));
  });

  test('several options, own words and notes outlive a reload', async () => {
    const id = await show(FEATURES);
    await page.keyboard.press('3');
    await page.keyboard.press('1');
    await page.keyboard.press('4');
    await page.getByRole('textbox', { name: 'Something else' }).fill('Dark mode');
    await page.getByRole('button', { name: 'Add notes' }).click();
    await page.getByRole('textbox', { name: 'Notes' }).fill('In this order');
    await page.reload();
    await look(page);
    await page.getByRole('textbox', { name: 'Something else' }).press('Enter');
    expect(await answerOf(id)).toEqual({
      text: 'Auth, Search, Dark mode',
      selected: ['Auth', 'Search'],
      notes: 'In this order',
    });
  });

  test('a plan is edited, the edit is shown, and the edited plan is accepted', async () => {
    const id = await show(PLAN);
    await page.getByRole('heading', { name: 'The plan' }).waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'The plan, in Markdown' }).fill('# The plan\n\n1. Write it\n2. Test it\n');
    await page.getByRole('button', { name: 'Your changes' }).click();
    await page.getByText('1 added, 1 removed').waitFor();
    await look(page);
    await page.getByRole('button', { name: 'Accept, and keep the context (as edited)' }).click();
    expect(await answerOf(id)).toEqual({ decision: 'edit', editedPlan: '# The plan\n\n1. Write it\n2. Test it\n' });
  });

  test('a plan is sent back with what should change', async () => {
    const id = await show(PLAN);
    await page.keyboard.press('n');
    await page.getByRole('textbox', { name: 'What should change?' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Smaller steps');
    await look(page);
    await page.keyboard.press('Control+Enter');
    expect(await answerOf(id)).toEqual({ decision: 'adjust', feedback: 'Smaller steps' });
  });

  test('a plan that is rejected waits for no feedback', async () => {
    const id = await show(PLAN);
    await page.keyboard.press('r');
    await look(page);
    await page.getByRole('button', { name: 'Reject the plan' }).click();
    expect(await answerOf(id)).toEqual({ decision: 'adjust' });
  });

  test('a command is edited as it is, never as JSON, and the change is shown before it is sent', async () => {
    const id = await show(COMMAND);
    await page.keyboard.press('e');
    const editor = page.getByRole('textbox', { name: 'Command' });
    expect(await editor.inputValue()).toBe('npm run deploy');
    await editor.fill('npm run deploy \\\n  -- --dry-run');
    await editor.press('Control+Enter');
    // That left the editor, and decided nothing.
    await page.getByRole('region', { name: 'Your change' }).getByText('added line 2').waitFor();
    expect(await bench.call(`/v1/interactions/${id}`)).toMatchObject({ status: 'pending' });
    await page.getByText('Nothing can be remembered about it.', { exact: false }).waitFor();
    await page.keyboard.press('m');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Allow with this change' }).click();
    expect(await answerOf(id)).toEqual({
      decision: 'allow',
      updatedInput: { command: 'npm run deploy \\\n  -- --dry-run', description: 'Deploy' },
    });
  });

  test('Escape leaves the editor and keeps the draft, across a reload', async () => {
    await show(COMMAND);
    await page.keyboard.press('e');
    await page.getByRole('textbox', { name: 'Command' }).fill('ls');
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Your change' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/i\//);
    await page.reload();
    await page.getByRole('region', { name: 'Your change' }).waitFor();
    await look(page);
    await page.keyboard.press('e');
    expect(await page.getByRole('textbox', { name: 'Command' }).inputValue()).toBe('ls');
  });

  test('the input of another tool is edited as JSON, and must be right before it is sent', async () => {
    const id = await show({ kind: 'approval', request: { tool: 'WebFetch', input: { url: 'https://a.test/x' } } });
    await page.keyboard.press('e');
    const editor = page.getByRole('textbox', { name: 'The input, as JSON' });
    await editor.fill('{\n  "url": a\n}');
    await page.getByText(/^Line 2 is not valid JSON/).waitFor();
    expect(await page.getByRole('button', { name: 'Done editing' }).isDisabled()).toBe(true);
    await editor.fill('["a"]');
    await page.getByText('Enter a JSON object').waitFor();
    await editor.fill('{ "url": "https://b.test/x" }');
    await page.getByRole('button', { name: 'Review the change' }).click();
    await page.getByRole('button', { name: 'Allow with this change' }).click();
    expect(await answerOf(id)).toEqual({ decision: 'allow', updatedInput: { url: 'https://b.test/x' } });
  });

  test('an edit that is undone brings the rules back, and they are remembered', async () => {
    const id = await show(COMMAND);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Command' }).fill('ls');
    await page.getByRole('button', { name: 'Undo my edits' }).click();
    await page.getByRole('button', { name: 'Done editing' }).click();
    await page.getByRole('button', { name: 'Remember…' }).click();
    await page.getByRole('radio', { name: /Allow Bash\(npm run deploy\), for this session/ }).check();
    const save = page.getByRole('button', { name: 'Allow, agent remembers' });
    await save.and(page.locator('[aria-disabled="false"]')).waitFor();
    await save.click();
    expect(await answerOf(id)).toEqual({ decision: 'allow', remember: true });
  });

  test('where the agent offers no rule, the page does not promise one', async () => {
    await show(EDIT);
    await pressRemember(page);
    const dialog = page.getByRole('dialog', { name: 'Remember' });
    await expectShown(dialog.getByText(/Allow|No rule can be offered/).first());
    expect(await dialog.getByText('own rule').count()).toBe(0);
  });

  test('a change of a file is shown as a diff, and denied with a reason', async () => {
    const id = await show(EDIT);
    await page.getByText('1 added, 1 removed').waitFor();
    await page.keyboard.press('r');
    await page.getByRole('textbox', { name: 'Why not?' }).fill('Port 80 is fine');
    await page.getByRole('button', { name: 'Deny with this reason' }).click();
    expect(await answerOf(id)).toEqual({ decision: 'deny', message: 'Port 80 is fine' });
  });

  test('a form tells what is wrong beside the field, before and after it was sent', async () => {
    const id = await show(FORM);
    await page.getByRole('button', { name: 'Send' }).click();
    const name = page.getByRole('textbox', { name: 'Name' });
    expect(await name.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    await name.fill('Web1');
    await page.getByRole('textbox', { name: 'Replicas' }).fill('0');
    await page.getByText('Enter 1 or more.').waitFor();
    await page.getByRole('textbox', { name: 'Replicas' }).fill('2');
    await page.getByRole('radio', { name: 'No', exact: true }).check();
    await page.getByRole('radio', { name: 'eu' }).check();
    await page.getByRole('button', { name: 'Add to Tags' }).click();
    await page.getByRole('textbox', { name: 'Tags 1' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('first');
    await page.getByRole('button', { name: 'Send' }).click();
    await page
      .locator('form')
      .getByText(/must match pattern/)
      .waitFor();
    // Beside the field is enough.
    expect(await page.getByText(/must match pattern/).count()).toBe(1);
    expect(await page.getByText('Beckon did not accept this answer').count()).toBe(0);
    await name.fill('web');
    await page.getByRole('button', { name: 'Send' }).click();
    expect(await answerOf(id)).toEqual({
      values: { name: 'web', replicas: 2, notify: false, region: 'eu', tags: ['first'] },
    });
  });

  test('an action of a component answers it', async () => {
    const id = await show(COMPONENT);
    await page.getByRole('button', { name: 'Export' }).click();
    expect(await answerOf(id)).toEqual({ action: 'export', data: { as: 'csv' }, component: 'b' });
  });

  test('components are drawn, and what is done with them is the answer', async () => {
    const id = await show(DRAWN);
    const missing = page.getByText('not loaded from example.com');
    expect(await missing.evaluate((element) => getComputedStyle(element).padding)).toBe('8px 12px');
    await page.getByRole('button', { name: 'Deep Dive' }).click();
    expect(await answerOf(id)).toEqual({
      action: 'click',
      data: { button: 'Deep Dive', id: 'sales' },
      component: 'card',
    });
  });

  test.each([
    { name: 'a question', ask: DATABASE },
    { name: 'a question with several answers', ask: FEATURES },
    { name: 'a plan', ask: PLAN },
    { name: 'a command', ask: COMMAND },
    { name: 'an edit', ask: EDIT },
    { name: 'a form', ask: FORM },
    { name: 'a component', ask: COMPONENT },
    { name: 'a drawn component', ask: DRAWN },
  ])('axe finds nothing in $name in either theme, and it fits on a narrow phone', async ({ ask }) => {
    await show(ask);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect({ colorScheme, found: await runAxe(page) }).toEqual({ colorScheme, found: [] });
    }
    const whole = page.viewportSize();
    await page.setViewportSize({ width: 320, height: 640 });
    const { scrollWidth, clientWidth } = await page.locator('article').evaluate((article) => {
      return { scrollWidth: article.scrollWidth, clientWidth: article.clientWidth };
    });
    expect(scrollWidth).toBe(clientWidth);
    if (whole !== null) await page.setViewportSize(whole);
  });

  test('nothing was thrown, and no policy was broken', () => {
    expect(bench.troubles).toEqual([]);
  });
});

/** Asks, and opens it in the page. */
async function show(ask: { kind: string; request: unknown }): Promise<string> {
  const id = await bench.ask(ask);
  await page.goto(`${bench.url}/i/${id}`);
  await page.locator('article :is(form, h2, section)').first().waitFor();
  await look(page);
  return id;
}

/** Waits until it is answered, and gives the answer. */
async function answerOf(id: string): Promise<unknown> {
  return (await bench.settled(id)).answer;
}
