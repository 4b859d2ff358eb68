/// <reference lib="dom" />
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { RuleDraft } from '../../packages/beckon/src/protocol/rule.ts';
import { runAxe } from './axe.ts';
import { describeInBrowser, expectShown, look, PageBench } from './page-bench.ts';
import { clear, statusOf } from './press-kinds.ts';
import { addRule, decided, listRules, pressRemember, removeRules } from './rule-asks.ts';

const FOLDER = '/home/ada/webshop';
const CONTEXT = { project: 'webshop', folder: FOLDER, root: FOLDER };
const NPM_TEST: RuleDraft = {
  effect: 'allow',
  tool: 'Bash',
  match: { commands: [{ words: ['npm', 'test'], rest: 'any' }] },
  scope: { folder: FOLDER },
};

let bench: PageBench;
let page: Page;

describeInBrowser('rules are kept in order on their page', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
    page = bench.page;
    await bench.logIn();
  });
  beforeEach(async () => {
    await clear(bench);
    await removeRules(bench);
    await page.setViewportSize({ width: 1280, height: 800 });
  });
  afterAll(() => bench?.close());

  test('an empty page explains what a rule is', async () => {
    await page.goto(bench.url);
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.waitForURL('**/rules');
    await expectShown(page.getByText('No rules yet'));
    await expectShown(page.getByText('with any arguments, in webshop', { exact: false }));
    expect(await runAxe(page)).toEqual([]);
  });

  test('a rule says what it does, whose it is and what it decided; others’ changes appear by themselves', async () => {
    await page.goto(`${bench.url}/rules`);
    await expectShown(page.getByText('No rules yet'));
    const rule = await addRule(bench, { ...NPM_TEST, until: '7d', reason: 'Tests are safe' });
    const row = page.getByRole('list', { name: 'Rules' }).getByRole('link');
    await expectShown(row.getByText('with any arguments', { exact: false }));
    expect(await row.innerText()).toMatch(
      /Allow npm test with any arguments[\s\S]*by .+[\s\S]*7 days left[\s\S]*No hits/,
    );
    const id = await bench.ask(toAsk('npm test -- --run cart'));
    expect(await statusOf(bench, id)).toBe('answered');
    await expectShown(row.getByText('1 hit', { exact: false }));
    await row.click();
    await page.waitForURL(`**/rules/${rule.id}`);
    const article = page.getByRole('article');
    await expectShown(article.getByText('Tests are safe'));
    await expectShown(article.getByText('1 hit in the last 30 days'));
    expect(await article.getByRole('list', { name: 'Hits by day' }).innerText()).toContain('1 hit');
    expect(await runAxe(page)).toEqual([]);
    await article.getByRole('link', { name: 'npm test -- --run cart' }).click();
    await page.waitForURL(`**/i/${id}`);
  });

  test('is switched to watch and back, edited with a preview, and revoked', async () => {
    const rule = await addRule(bench, NPM_TEST);
    await decided(bench, 'npm run lint', 'allow');
    await page.goto(`${bench.url}/rules/${rule.id}`);
    await choose(page.getByRole('article'), 'Watch');
    await expectShown(page.getByText('The rule only watches'));
    const watched = await bench.ask(toAsk('npm test'));
    expect(await statusOf(bench, watched)).toBe('pending');
    await choose(page.getByRole('article'), 'On');
    await expectShown(page.getByText('The rule is on', { exact: true }));
    expect(await statusOf(bench, await bench.ask(toAsk('npm test')))).toBe('answered');

    await page.getByRole('button', { name: 'Edit' }).click();
    const commands = page.getByRole('textbox', { name: 'Commands' });
    expect(await commands.inputValue()).toBe('npm test …');
    await commands.fill('npm test …\nnpm run lint');
    const preview = page.getByRole('region', { name: 'Preview' });
    await expectShown(preview.getByText(/exactly npm run lint, and npm test with any arguments/));
    await preview.getByRole('button', { name: /Would have decided/ }).click();
    await expectShown(preview.getByRole('link', { name: 'npm run lint' }));
    await choose(page.locator('form'), 'Today');
    await page.getByRole('textbox', { name: 'Reason (optional)' }).fill('Both are safe');
    expect(await runAxe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save the changes' }).click();
    await expectShown(page.getByRole('article').getByText('Both are safe'));
    expect(await statusOf(bench, await bench.ask(toAsk('npm run lint')))).toBe('answered');
    expect((await listRules(bench))[0]?.until).toBeDefined();

    await page.getByRole('button', { name: 'Revoke' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke this rule?' });
    expect(await runAxe(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await expectShown(page.getByText('Rule revoked'));
    await expectShown(page.getByText('No rules yet'));
    expect(await statusOf(bench, await bench.ask(toAsk('npm run lint')))).toBe('pending');
  });

  test('a new rule is written in words, and a contradiction is confirmed', async () => {
    const denied = 'npm publish --tag next';
    await decided(bench, denied, 'deny');
    await page.goto(`${bench.url}/rules`);
    await page.getByRole('link', { name: 'New rule' }).click();
    await choose(page.locator('form'), 'Deny');
    await page.getByRole('textbox', { name: 'Commands' }).fill('git push …');
    await page.getByRole('textbox', { name: 'Reason (optional)' }).fill('People push');
    await page.getByRole('button', { name: 'Save the rule' }).click();
    await expectShown(page.getByRole('heading', { name: /^Deny git push with any arguments/ }));
    const pushed = await bench.ask(toAsk('npm test; git push origin main'));
    expect((await bench.settled(pushed)).answer).toMatchObject({ decision: 'deny', message: 'People push' });

    await page.getByRole('link', { name: 'New rule' }).click();
    await page.getByRole('textbox', { name: 'Commands' }).fill('sudo …');
    await expectShown(page.getByRole('region', { name: 'Preview' }).getByText(/sudo/).nth(1));
    await page.getByRole('textbox', { name: 'Commands' }).fill('npm view …');
    await decided(bench, 'npm view beckon version', 'deny');
    await page.getByRole('button', { name: 'Save the rule' }).click();
    const dialog = page.getByRole('dialog');
    await expectShown(dialog.getByText('they go on to ask', { exact: false }));
    expect(await runAxe(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Leave these out and save' }).click();
    await expectShown(page.getByRole('heading', { name: /^Allow npm view with any arguments/ }));
    expect((await listRules(bench))[0]?.examples.notMatch).toEqual(['npm view beckon version']);
  });

  test('rules are searched and narrowed down', async () => {
    await addRule(bench, NPM_TEST);
    await addRule(bench, { effect: 'deny', tool: 'WebFetch', match: { domain: 'example.com' }, mode: 'watch' });
    await page.goto(`${bench.url}/rules`);
    const rows = page.getByRole('list', { name: 'Rules' }).getByRole('link');
    await expect.poll(() => rows.count()).toBe(2);
    await page.keyboard.press('/');
    await page.keyboard.type('example');
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: 'Watching 1' }).click();
    await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining('example.com')]);
    await page.getByRole('searchbox').fill('nothing like this');
    await expectShown(page.getByText('No rule matches'));
  });

  test('what was allowed again and again is suggested: made, or dismissed for good', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await decided(bench, `npx vitest run ${name}`, 'allow');
      await decided(bench, `npm run build:${name}`, 'allow');
      await decided(bench, 'npm run typecheck', 'allow');
      await decided(bench, 'git status', 'allow');
    }
    await page.goto(`${bench.url}/rules`);
    const suggestions = page.getByRole('region', { name: 'Suggestions' });
    const one = suggestions.locator('> ul > li').filter({ hasText: 'npm run typecheck' });
    await one.getByRole('button', { name: 'Allowed 5 times and never denied' }).click();
    await expectShown(one.getByRole('list').getByText('npm run typecheck').first());
    expect(await runAxe(page)).toEqual([]);
    await one.getByRole('button', { name: /^Dismiss/ }).click();
    await one.waitFor({ state: 'detached' });
    await page.reload();
    const other = suggestions.locator('> ul > li').filter({ hasText: 'git status' });
    await expectShown(other);
    expect(await one.count()).toBe(0);
    await other.getByRole('button', { name: /^Make this rule/ }).click();
    await expectShown(page.getByRole('heading', { name: /^Allow exactly git status/ }));
    expect(await statusOf(bench, await bench.ask(toAsk('git status')))).toBe('answered');
    await page.goto(`${bench.url}/rules`);
    await expectShown(page.getByRole('list', { name: 'Rules' }));
    expect(await suggestions.getByText('git status').count()).toBe(0);
  });

  test('a request names the rule that decided it; marked wrong, the rule stops and says what else it decided', async () => {
    const rule = await addRule(bench, NPM_TEST);
    const first = await bench.ask(toAsk('npm test -- --run one'));
    const second = await bench.ask(toAsk('npm test -- --run two'));
    await page.goto(`${bench.url}/history?open=${second}`);
    const article = page.getByRole('article');
    await expectShown(article.getByText(/^Allowed by a rule of/).first());
    expect(await runAxe(page)).toEqual([]);
    await article.getByRole('button', { name: 'Mark wrong' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Mark wrong and stop the rule' }).click();
    const done = page.getByRole('dialog', { name: 'The rule is stopped' });
    await expectShown(done.getByRole('link', { name: 'npm test -- --run one' }));
    expect(await runAxe(page)).toEqual([]);
    expect(await statusOf(bench, await bench.ask(toAsk('npm test')))).toBe('pending');
    await done.getByRole('button', { name: 'Close' }).last().click();
    await article.getByRole('link', { name: /^Allow npm test/ }).click();
    await page.waitForURL(`**/rules/${rule.id}`);
    await expectShown(page.getByText(/marked what it decided as wrong/));
    await page.getByRole('button', { name: 'Start again' }).click();
    await expectShown(page.getByText('The rule is on again'));
    expect(await statusOf(bench, await bench.ask(toAsk('npm test')))).toBe('answered');
    expect(await statusOf(bench, first)).toBe('answered');
  });

  test('a rule whose author can no longer come in stops, and says so', async () => {
    const { stdout } = await bench.cli.run(['token', 'create', 'bob', '--role', 'admin']);
    const reply = await fetch(`${bench.url}/v1/rules`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stdout.trim()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ rule: NPM_TEST }),
    });
    const { id } = (await reply.json()) as { id: string };
    await page.goto(`${bench.url}/rules/${id}`);
    await expectShown(page.getByRole('article').getByText('bob'));
    await bench.cli.run(['token', 'revoke', 'bob']);
    await expectShown(
      page
        .getByRole('article')
        .getByText(/^Stopped/)
        .first(),
    );
    await expectShown(page.getByRole('article').getByText('bob, who answers for it, can no longer log in'));
    expect(await runAxe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Start again' }).click();
    await expectShown(page.getByText('The rule is on again'));
    expect((await listRules(bench))[0]?.createdBy).not.toBe('bob');
  });

  test('who may only answer reads rules, and neither makes nor changes them', async () => {
    const rule = await addRule(bench, NPM_TEST);
    const guest = await bench.newPage();
    await guest.goto((await bench.call<{ url: string }>('/v1/login-links', { who: 'guest' })).url);
    await guest.getByRole('navigation', { name: 'Views' }).waitFor();
    const id = await bench.ask(toAsk('npm run lint'));
    await guest.goto(`${bench.url}/i/${id}`);
    await look(guest);
    await expectShown(guest.getByText('It makes no rules.', { exact: false }));
    expect(await guest.getByText('Remember…').count()).toBe(0);
    await guest.keyboard.press('m');
    expect(await guest.getByRole('dialog').count()).toBe(0);
    await guest.goto(`${bench.url}/rules/${rule.id}`);
    await expectShown(guest.getByText('This login can answer, but not change rules.'));
    for (const name of ['Edit', 'Revoke', 'New rule'])
      expect(await guest.getByText(name, { exact: true }).count()).toBe(0);
    expect(await runAxe(guest)).toEqual([]);
    await guest.context().close();
  });

  test('a person who is no admin is told what they may not do', async () => {
    const rule = await addRule(bench, NPM_TEST);
    const bea = await bench.newPage();
    const link = { who: 'bea', role: 'person', answerOnly: false };
    await bea.goto((await bench.call<{ url: string }>('/v1/login-links', link)).url);
    await bea.getByRole('navigation', { name: 'Views' }).waitFor();
    await bea.goto(`${bench.url}/rules/${rule.id}`);
    await expectShown(bea.getByText(/^Only .* or an admin can change this rule\.$/));
    const id = await bench.ask(toAsk('npm run lint'));
    await bea.goto(`${bench.url}/i/${id}`);
    await look(bea);
    await pressRemember(bea);
    await expectShown(bea.getByRole('dialog').getByText('No rule can be offered'));
    expect(await statusOf(bench, id)).toBe('pending');
    await bea.context().close();
  });

  test('everything fits on a phone, in the dark', async () => {
    const rule = await addRule(bench, NPM_TEST);
    const phone = await bench.newLoggedInPage({
      viewport: { width: 320, height: 640 },
      hasTouch: true,
      isMobile: true,
      colorScheme: 'dark',
    });
    for (const path of ['/rules', `/rules/${rule.id}`, '/rules/new']) {
      await phone.goto(`${bench.url}${path}`);
      await phone.getByRole('heading', { level: 1 }).locator('visible=true').waitFor();
      expect(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      expect(await runAxe(phone)).toEqual([]);
    }
    await phone.getByRole('button', { name: 'Back' }).tap();
    await expectShown(phone.getByRole('list', { name: 'Rules' }));
    await phone.context().close();
  });

  test('nothing was thrown, and no policy was broken', () => {
    expect(bench.troubles).toEqual([]);
  });
});

function toAsk(command: string) {
  return { kind: 'approval', request: { tool: 'Bash', input: { command } }, context: CONTEXT };
}

/** Chooses one of a few, whose radio buttons are hidden behind their names. */
function choose(around: Locator, name: string): Promise<void> {
  return around.locator('label').getByText(name, { exact: true }).click();
}
