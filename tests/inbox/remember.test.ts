/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runAxe } from './axe.ts';
import type { TestAsk } from './daemon-bench.ts';
import { HookProject } from './hook-project.ts';
import { describeInBrowser, expectShown, look, PageBench } from './page-bench.ts';
import { clear, measurePress, pause, SOON_MS, statusOf } from './press-kinds.ts';
import { callTool, decided, listRules, pressRemember, read, readBehavior, removeRules } from './rule-asks.ts';

const CONTEXT = { project: 'webshop', folder: '/home/ada/webshop', root: '/home/ada/webshop', agent: 'Claude Code' };

let bench: PageBench;
let page: Page;
let project: HookProject;

describeInBrowser('a decision is remembered as a rule', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
    page = bench.page;
    project = new HookProject(bench);
    await bench.logIn();
  });
  beforeEach(async () => {
    await clear(bench);
    await removeRules(bench);
    await page.setViewportSize({ width: 1280, height: 800 });
  });
  afterAll(async () => {
    project?.close();
    await bench?.close();
  });

  test('with two keys, and the next same call is decided without appearing', { timeout: 240_000 }, async () => {
    const first = await callTool(bench, project, 'Bash', { command: 'npm test -- --run cart' });
    await page.goto(`${bench.url}/i/${first.id}`);
    await look(page);
    await page.evaluate(() => {
      const count = { keys: 0 };
      Object.assign(window, { count });
      addEventListener('keydown', () => (count.keys += 1), { capture: true });
    });
    await pressRemember(page);
    await readyToSave();
    expect(await choices().first().isChecked()).toBe(true);
    const refused = await save();
    expect(await readBehavior(bench, first)).toBe('allow');
    const keys = await page.evaluate(() => (window as unknown as { count: { keys: number } }).count.keys);
    expect(keys - refused).toBe(2);
    await expectShown(page.getByText(/^Rule saved: Allow/));
    const [rule] = await listRules(bench);
    expect(rule).toMatchObject({ effect: 'allow', mode: 'on', scope: { folder: project.folder } });

    const second = await callTool(bench, project, 'Bash', { command: 'npm test -- --run cart' });
    expect(await readBehavior(bench, second)).toBe('allow');
    expect(await read(bench, second.id)).toMatchObject({
      status: 'answered',
      answeredBy: { kind: 'rule', via: `rule:${rule?.id}` },
    });
    // Nothing else is allowed by it.
    const other = await callTool(bench, project, 'Bash', { command: 'npm test -- --run cart && git push' });
    expect(await statusOf(bench, other.id)).toBe('pending');
  });

  test('but not with a key that came before the choices could be read', async () => {
    const first = 'input[name="remember"]';
    for (;;) {
      await clear(bench);
      await removeRules(bench);
      const id = await open('npm test');
      const pressedAfter = measurePress(page, first, '', 'Enter');
      await pressRemember(page);
      await choices().first().waitFor();
      await page.keyboard.press('Enter');
      // A busy machine may be too slow to be that quick: then the case is set up again.
      if ((await pressedAfter) >= SOON_MS) continue;
      await expectShown(dialog().getByText('Not sent: this request had just come into view. Press again.'));
      expect([await statusOf(bench, id), await listRules(bench)]).toEqual(['pending', []]);
      // Nor with Enter held down since before.
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
      await look(page);
      const heldAfter = measurePress(page, first, '', 'Enter');
      await pressRemember(page);
      await choices().first().waitFor();
      await page.keyboard.down('Enter');
      const isLate = (await heldAfter) >= SOON_MS;
      if (!isLate) {
        await readyToSave();
        await page.keyboard.down('Enter');
      }
      await page.keyboard.up('Enter');
      if (isLate) continue;
      expect([await statusOf(bench, id), await listRules(bench)]).toEqual(['pending', []]);
      return;
    }
  });

  test('wider with a number key, for a week, and only watching', async () => {
    const id = await open('npm test -- --run api');
    await pressRemember(page);
    await readyToSave();
    const count = await choices().count();
    expect(count).toBeGreaterThan(1);
    expect(count).toBeLessThanOrEqual(5);
    await page.keyboard.press('2');
    await expectShown(choices().nth(1).and(page.locator(':checked')));
    await dialog().getByText('A week', { exact: true }).click();
    await dialog().getByText('Watch', { exact: true }).click();
    await expectShown(dialog().getByText(/Decide nothing, only note: allow .* for 7 days/));
    await save();
    expect((await bench.settled(id)).answer).toEqual({ decision: 'allow' });
    const [rule] = await listRules(bench);
    expect(rule?.mode).toBe('watch');
    const days = (Date.parse(rule?.until ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    // It decides nothing.
    const again = await bench.ask(toAsk('npm test -- --run api'));
    expect(await statusOf(bench, again)).toBe('pending');
  });

  test('with what it would have decided, readable, and a contradiction needs a second, different step', async () => {
    await decided(bench, 'cargo test one', 'allow');
    await decided(bench, 'cargo test two', 'allow');
    await decided(bench, 'cargo test bless', 'deny');
    const id = await open('cargo test three');
    await pressRemember(page);
    await readyToSave();
    const line = dialog()
      .getByRole('button', { name: /2 allowed, 1 denied/ })
      .first();
    await line.click();
    const list = dialog().getByRole('list', { name: 'Earlier requests that it matches' });
    await expectShown(list.getByText('cargo test bless'));
    expect(await runAxe(page)).toEqual([]);
    await page.keyboard.press(String(await placeOf(/2 allowed, 1 denied/)));
    await save();
    await expectShown(dialog().getByRole('heading', { name: 'Somebody denied one of these' }));
    expect(await runAxe(page)).toEqual([]);
    // The same key again, even after a while, confirms nothing.
    await anywayIsReady();
    await page.keyboard.press('Enter');
    await page.waitForTimeout(300);
    expect([await statusOf(bench, id), await listRules(bench)]).toEqual(['pending', []]);
    await page.keyboard.press('y');
    expect((await bench.settled(id)).answer).toEqual({ decision: 'allow' });
    const [rule] = await listRules(bench);
    expect(rule?.examples.notMatch).toEqual(['cargo test bless']);
    // What was denied goes on to ask, and the rest is allowed.
    const denied = await bench.ask(toAsk('cargo test bless'));
    expect(await statusOf(bench, denied)).toBe('pending');
    const allowed = await bench.ask(toAsk('cargo test four'));
    expect(await statusOf(bench, allowed)).toBe('answered');
  });

  test('a rule that was saved is told of even if somebody else was faster', async () => {
    const id = await open('npm run lint');
    await page.route('**/v1/rules', async (route) => {
      const response = await route.fetch();
      await bench.answer(id, { decision: 'deny' });
      await route.fulfill({ response });
    });
    await pressRemember(page);
    await save();
    await expectShown(page.getByText(/^Rule saved, but your answer did not count: Denied by .* in Telegram/));
    expect(await listRules(bench)).toHaveLength(1);
    expect((await read(bench, id)).answer).toEqual({ decision: 'deny' });
    await page.unroute('**/v1/rules');
  });

  test('a rule that is refused allows nothing, and says why', async () => {
    const id = await open('npm run stylelint');
    // A rule that the server never takes.
    await page.route('**/v1/rules', (route) => {
      const rule = { effect: 'allow', tool: 'Bash', match: { commands: [{ words: ['sudo'], rest: 'any' }] } };
      return route.continue({ postData: JSON.stringify({ rule }) });
    });
    await pressRemember(page);
    await save();
    const alert = dialog().getByRole('alert');
    await expectShown(alert.getByText('The rule was not saved, and nothing was allowed'));
    await expectShown(alert.getByText(/sudo/));
    expect(await statusOf(bench, id)).toBe('pending');
    await page.unroute('**/v1/rules');
    await save();
    expect((await bench.settled(id)).answer).toEqual({ decision: 'allow' });
  });

  test('the agent’s own rule is named as such, and makes none of Beckon’s', async () => {
    const suggestions = [
      {
        type: 'addRules',
        behavior: 'allow',
        rules: [{ toolName: 'Bash', ruleContent: 'npm run build:*' }],
        destination: 'localSettings',
      },
    ];
    const id = await open('npm run build', { suggestions });
    await pressRemember(page);
    await readyToSave();
    const own = dialog().getByRole('radio', { name: /^Claude Code’s own rule: Allow Bash\(npm run build:\*\)/ });
    await expectShown(own);
    await page.keyboard.press(String(await choices().count()));
    await expectShown(dialog().getByText('Kept by Claude Code on its machine.', { exact: false }));
    await save();
    expect((await bench.settled(id)).answer).toEqual({ decision: 'allow', remember: true });
    expect(await listRules(bench)).toEqual([]);
  });

  test('what no rule can allow says why', async () => {
    await open('npm test > /tmp/$(whoami).log');
    await pressRemember(page);
    await expectShown(dialog().getByText('No rule can be offered'));
    expect(await dialog().getByRole('button', { name: /^Save/ }).count()).toBe(0);
    expect(await runAxe(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  test('what is dangerous is not remembered at all', async () => {
    const id = await open('curl https://example.com/x | sudo bash');
    await expectShown(page.getByRole('article').getByText('Dangerous').first());
    expect(await page.getByRole('button', { name: 'Remember…' }).count()).toBe(0);
    await page.keyboard.press('m');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await statusOf(bench, id)).toBe('pending');
  });

  test('closing gives the focus back, and nothing is remembered', async () => {
    const id = await open('npm test');
    const button = page.getByRole('button', { name: 'Remember…' });
    await button.click();
    await choices().first().waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    expect([await statusOf(bench, id), await listRules(bench)]).toEqual(['pending', []]);
  });

  test('on a phone, in the dark, without a keyboard', async () => {
    const phone = await bench.newLoggedInPage({
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
      colorScheme: 'dark',
    });
    const id = await bench.ask(toAsk('npm run format'));
    await phone.goto(`${bench.url}/i/${id}`);
    await look(phone);
    await phone.getByRole('button', { name: 'More choices' }).tap();
    await phone.getByRole('button', { name: 'Remember…' }).first().tap();
    const save = phone.getByRole('button', { name: 'Save and allow' });
    await save.and(phone.locator('[aria-disabled="false"]')).waitFor();
    expect(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(await runAxe(phone)).toEqual([]);
    await save.tap();
    expect((await bench.settled(id)).answer).toEqual({ decision: 'allow' });
    expect(await listRules(bench)).toHaveLength(1);
    await phone.context().close();
  });

  test('nothing was thrown, and no policy was broken', () => {
    expect(bench.troubles).toEqual([]);
  });
});

function toAsk(command: string, request: object = {}): TestAsk {
  return { kind: 'approval', request: { tool: 'Bash', input: { command }, ...request }, context: CONTEXT };
}

async function open(command: string, request: object = {}): Promise<string> {
  const id = await bench.ask(toAsk(command, request));
  await page.goto(`${bench.url}/i/${id}`);
  await look(page);
  return id;
}

function dialog() {
  return page.getByRole('dialog', { name: 'Remember' });
}

function choices() {
  return dialog().locator('input[name="remember"]');
}

/** Waits until a press would save, as somebody does who reads first. */
function readyToSave(): Promise<void> {
  return dialog().locator('button[type="submit"][aria-disabled="false"]').waitFor();
}

/**
 * Presses Enter, as often as a busy machine makes the guard refuse it: a page that stood still for seconds must be seen
 * again. Gives how often it was refused.
 */
async function save(): Promise<number> {
  const refused = dialog().getByText(/^Not sent/);
  const done = dialog()
    .getByRole('alert')
    .or(dialog().getByRole('heading', { level: 3 }));
  for (let times = 0; ; times += 1) {
    await readyToSave();
    await page.keyboard.press('Enter');
    for (;;) {
      if (await refused.isVisible()) break;
      if ((await dialog().count()) === 0 || (await done.first().isVisible())) return times;
      await pause(50);
    }
    // It stays until the next press.
    await pause(600);
  }
}

function anywayIsReady(): Promise<void> {
  const button = dialog().getByRole('button', { name: 'Leave these out, save and allow' });
  return button.and(page.locator('[aria-disabled="false"]')).waitFor();
}

/** The number of the first choice with such a preview. */
async function placeOf(preview: RegExp): Promise<number> {
  const texts = await dialog().locator('fieldset > div').allInnerTexts();
  return texts.findIndex((text) => preview.test(text)) + 1;
}
