/// <reference lib="dom" />
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSigner } from '../../packages/beckon/src/bridge/signature.ts';
import type { PersonalDestination } from '../../packages/beckon/src/protocol/destination.ts';
import { startNtfy, type TestNtfy } from '../../packages/beckon/src/testing/harness/ntfy-server.ts';
import { readMail } from '../../packages/beckon/src/testing/harness/read-mail.ts';
import { startSmtp, type TestSmtp } from '../../packages/beckon/src/testing/harness/smtp-server.ts';
import { startBackend, type TestBackend } from '../../packages/beckon/src/testing/harness/test-backend.ts';
import { runAxe } from './axe.ts';
import { describeInBrowser, expectShown, PageBench } from './page-bench.ts';

const ADA = 'ada@example.com';

let bench: PageBench;
let page: Page;
let smtp: TestSmtp;
let ntfy: TestNtfy;
let program: TestBackend;

const list = async (): Promise<PersonalDestination[]> =>
  (await bench.call<{ items: PersonalDestination[] }>('/v1/destinations')).items;
const find = async (kind: string): Promise<PersonalDestination | undefined> =>
  (await list()).find((one) => one.kind === kind);
const button = (on: Page | Locator, name: string): Locator => on.getByRole('button', { name, exact: true });
const rowOf = (on: Page, name: string): Locator =>
  on.getByRole('list', { name: 'Where you are told', exact: true }).getByRole('listitem').filter({ hasText: name });
const toCode = (text: string | undefined): string => /\d{8}/.exec(text ?? '')?.[0] ?? '';
const mailedCode = (): string => toCode(readMail(smtp.mails.at(-1)?.raw ?? '').text);

async function openSettings(on: Page): Promise<void> {
  await on.goto(`${bench.url}/settings/notifications`);
  await on.getByRole('heading', { name: 'Where you are told' }).waitFor();
}

async function expectNoSidewaysScroll(on: Page): Promise<void> {
  const wide = await on.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('main, main *, [role="dialog"], [role="dialog"] *')]
      .filter((element) => !['INPUT', 'SELECT'].includes(element.tagName))
      .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
      .filter((element) => getComputedStyle(element).overflowX !== 'visible' || element === document.documentElement)
      .filter((element) => !element.classList.contains('sr-only'))
      .map(({ tagName, className }) => `${tagName} ${String(className)}`),
  );
  expect(wide).toEqual([]);
}

describeInBrowser('where people are told', () => {
  beforeAll(async () => {
    [smtp, ntfy, program] = await Promise.all([startSmtp(), startNtfy(), startBackend()]);
    bench = await PageBench.open(['--allow-destination', '127.0.0.1'], {
      BECKON_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      BECKON_MAIL_FROM: 'Beckon <beckon@example.com>',
    });
    page = await bench.newLoggedInPage({ timezoneId: 'Asia/Tokyo' });
  });
  afterAll(async () => {
    await bench?.close();
    await Promise.all([smtp?.close(), ntfy?.close(), program?.close()]);
  });

  test('the settings lead there; with the keyboard alone an address is added, confirmed, tested and removed', async () => {
    await page.keyboard.press(',');
    await page.getByRole('dialog').getByRole('link', { name: 'Notifications' }).press('Enter');
    await page.getByText('Nowhere yet, except on this page.').waitFor();
    const opener = button(page, 'Add an e-mail address');
    await opener.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'E-mail address' }).press('a');
    await page.keyboard.press('Enter');
    await dialog.getByText('Type an address such as ada@example.com.').waitFor();
    await page.keyboard.type('da@example.com');
    await page.keyboard.press('Enter');
    // The code is on its way without a press, and the focus stays in the dialog.
    await page.getByRole('dialog', { name: `Confirm ${ADA}` }).waitFor();
    await dialog.getByRole('status').getByText(`A code was sent to ${ADA}.`).waitFor();
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await dialog.getByRole('textbox', { name: 'Code' }).focus();
    await page.keyboard.type(mailedCode() === '00000000' ? '11111111' : '00000000');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('This code is wrong.').waitFor();
    expect((await find('email'))?.provenAt).toBeUndefined();
    await dialog.getByRole('textbox', { name: 'Code' }).fill('');
    const code = mailedCode();
    await page.keyboard.type(`${code.slice(0, 4)} ${code.slice(4)}`);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: `${ADA} is ready` }).waitFor();
    await page.keyboard.press('Escape');
    await opener.and(page.locator(':focus')).waitFor();

    const row = rowOf(page, ADA);
    await row.getByText('On', { exact: true }).waitFor();
    await row.getByText('At once · A link only').waitFor();
    const before = smtp.mails.length;
    await button(row, `Send a test: ${ADA}`).press('Enter');
    await row.getByRole('status').getByText(`A test was sent to ${ADA}.`).waitFor();
    expect(smtp.mails.length).toBe(before + 1);

    await button(row, `Remove: ${ADA}`).press('Enter');
    const remove = button(page.getByRole('dialog', { name: `Remove ${ADA}?` }), 'Remove');
    await remove.and(page.locator('[aria-disabled="false"]')).press('Enter');
    await row.waitFor({ state: 'detached' });
    await page.locator('main:focus').waitFor();
    expect(await list()).toEqual([]);
  });

  test('a link in a mail confirms it too, and the page notices by itself', async () => {
    await openSettings(page);
    await button(page, 'Add an e-mail address').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'E-mail address' }).fill(ADA);
    await button(dialog, 'Add').click();
    await dialog.getByText(`A code was sent to ${ADA}.`).waitFor();
    const tab = await page.context().newPage();
    await tab.goto(readMail(smtp.mails.at(-1)?.raw ?? '').link);
    await tab.getByText(`From now on ${ADA} is told of requests.`).waitFor();
    await tab.close();
    await page.getByRole('dialog', { name: `${ADA} is ready` }).waitFor();
    await button(dialog, 'Done').click();
    await expectShown(rowOf(page, ADA).getByText('On', { exact: true }));
  });

  test('of ntfy the topic is shown once; a code confirms it, and a failure is said in words', async () => {
    await openSettings(page);
    await button(page, 'Add ntfy').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Server' }).fill(ntfy.url);
    await button(dialog, 'Add').click();
    const topic = (await dialog.getByRole('textbox', { name: 'Your topic' }).inputValue()).split('/').at(-1) ?? '';
    expect(topic).toMatch(/^beckon-[\w-]{24}$/);
    // Nobody has subscribed to it yet, so nothing was sent.
    expect(ntfy.kept).toEqual([]);
    await button(dialog, 'Done').click();

    const host = new URL(ntfy.url).host;
    const row = rowOf(page, host);
    await row.getByText('Not confirmed').waitFor();
    expect(await page.getByRole('main').innerText()).not.toContain(topic);
    await button(row, 'Send a code').click();
    await row.getByText(`A code was sent to ${host}.`).waitFor();
    await row.getByRole('textbox', { name: 'Code' }).click();
    await page.keyboard.type(toCode(ntfy.shown(topic).at(-1)?.message));
    await button(row, 'Confirm').click();
    await row.getByText('On', { exact: true }).waitFor();

    ntfy.publishing = { status: 503, body: '{"error":"out of ink"}' };
    await button(row, `Send a test: ${host}`).click();
    await row.getByRole('status').getByText('It did not arrive: The ntfy server says HTTP 503: out of ink.').waitFor();
    ntfy.publishing = { status: 403, body: '{"error":"forbidden"}' };
    // The page is in sight, so somebody has to want to be told even so.
    await bench.call(
      `/v1/destinations/${(await find('ntfy'))?.id}`,
      { when: { after: 0, evenInSight: true } },
      'PATCH',
    );
    const id = await bench.ask({ kind: 'question', request: { question: 'Told?' } });
    await row.getByText('Paused', { exact: true }).waitFor();
    await row.getByText(/^It refuses Beckon.* \(HTTP 403: forbidden\)\. Repair that, then turn it on\.$/).waitFor();
    ntfy.publishing = undefined;
    await button(row, `Turn on: ${host}`).click();
    await row.getByText('On', { exact: true }).waitFor();
    await expect.poll(() => ntfy.shown(topic).some(({ click }) => click?.endsWith(id))).toBe(true);
    await button(row, `Turn off: ${host}`).click();
    await row.getByText('Off', { exact: true }).waitFor();
    expect(await find('ntfy')).toMatchObject({ isOn: false });
  });

  test('when and how much can be changed, with quiet hours in the time zone of the browser', async () => {
    await openSettings(page);
    const row = rowOf(page, ADA);
    await button(row, `Edit: ${ADA}`).click();
    const dialog = page.getByRole('dialog', { name: `Edit ${ADA}` });
    await dialog.getByRole('radio', { name: 'Only if it still waits after' }).click();
    await dialog.getByRole('textbox', { name: 'Minutes to wait first' }).fill('soon');
    await dialog.getByRole('checkbox', { name: 'Again before it expires:' }).click();
    await dialog.getByRole('checkbox', { name: 'Quiet hours' }).click();
    expect(await dialog.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('Asia/Tokyo');
    await dialog.getByRole('radio', { name: /^Headline/ }).click();
    expect(await runAxe(page)).toEqual([]);
    await button(dialog, 'Save').click();
    await dialog.getByText('Type a number of minutes, such as 5.').waitFor();
    await dialog.getByRole('textbox', { name: 'Minutes to wait first' }).fill('2.5');
    await dialog.getByLabel('From', { exact: true }).fill('23:15');
    await button(dialog, 'Save').click();
    await dialog.waitFor({ state: 'detached' });
    const terms =
      'If it still waits after 2 min 30 s · Again 10 min before it expires · Quiet from 23:15 to 07:00 (Asia/Tokyo) · Headline';
    await row.getByText(terms).waitFor();
    expect(await find('email')).toMatchObject({
      when: { after: 150, beforeExpiry: 600, quiet: { from: '23:15', to: '07:00', timeZone: 'Asia/Tokyo' } },
      content: 'headline',
    });
  });

  test('of a webhook the secret is shown once and signs; what it took is listed and sent again', async () => {
    await openSettings(page);
    await button(page, 'Add a webhook').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'URL' }).fill(`${program.url}/hook`);
    await dialog.getByRole('textbox', { name: 'Events' }).fill('interaction.requested');
    await button(dialog, 'Add').click();
    const secret = await dialog.getByRole('textbox', { name: 'Signing secret' }).inputValue();
    // It took a test that was sent at once, so it is confirmed.
    await dialog.getByText('It gets events from now on.').waitFor();
    /** What it got last, if that was signed with the secret. */
    const verify = (by: string): unknown => {
      const { text = '', headers = {}, body } = program.received.at(-1) ?? {};
      createSigner(by).verify(headers, text);
      return body;
    };
    expect(verify(secret)).toMatchObject({ type: 'webhook.test' });
    await button(dialog, 'Done').click();
    expect(await page.content()).not.toContain(secret);

    const { host } = new URL(program.url);
    const row = rowOf(page, host);
    const id = await bench.ask({ kind: 'question', request: { question: 'Programmed?' } });
    await expect.poll(() => program.received.at(-1)?.body).toMatchObject({ interactionId: id });
    await button(row, `What was sent: ${host}`).click();
    const sent = row.getByRole('listitem').filter({ hasText: 'interaction.requested' });
    await sent.getByText('Sent', { exact: true }).waitFor();
    const [first] = program.received.slice(-1);
    await sent.getByRole('button', { name: /^Send event \d+ again$/ }).click();
    await expect.poll(() => program.received.length).toBe(program.received.indexOf(first as never) + 2);
    expect(program.received.at(-1)?.headers['webhook-id']).toBe(first?.headers['webhook-id']);

    await button(row, `New secret: ${host}`).click();
    await button(dialog, 'Make a new secret').click();
    const next = await dialog.getByRole('textbox', { name: 'Signing secret' }).inputValue();
    await button(dialog, 'Done').click();
    expect(next).not.toBe(secret);
    await button(row, `Send a test: ${host}`).click();
    await row.getByText(`${host} took the test.`).waitFor();
    for (const one of [secret, next]) expect(verify(one)).toMatchObject({ type: 'webhook.test' });
  });

  test('an address inside the network is refused', async () => {
    await openSettings(page);
    await button(page, 'Add a webhook').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'URL' }).fill('http://10.0.0.1/hook');
    await button(dialog, 'Add').click();
    await dialog
      .getByRole('alert')
      .getByText(/10\.0\.0\.1/)
      .waitFor();
    await page.keyboard.press('Escape');
    expect((await list()).filter(({ target }) => target.includes('10.0.0.1'))).toEqual([]);
  });

  test('somebody who may only answer has places of their own; an admin sees those and can end them', async () => {
    const guest = await bench.newPage({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
    await guest.goto((await bench.call<{ url: string }>('/v1/login-links', { who: 'guest' })).url);
    await guest.getByRole('navigation', { name: 'Views' }).waitFor();
    await openSettings(guest);
    await guest.getByText('Nowhere yet, except on this page.').waitFor();
    expect(await button(guest, 'Add a webhook').count()).toBe(0);
    await button(guest, 'Add an e-mail address').tap();
    const dialog = guest.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'E-mail address' }).fill('guest@example.com');
    await expectNoSidewaysScroll(guest);
    await button(dialog, 'Add').tap();
    await dialog.getByText('A code was sent to guest@example.com.').waitFor();
    await expectNoSidewaysScroll(guest);
    await dialog.getByRole('textbox', { name: 'Code' }).fill(mailedCode());
    await button(dialog, 'Confirm').tap();
    await dialog.getByText('You are told there from now on.').waitFor();
    await button(dialog, 'Done').tap();
    await rowOf(guest, 'guest@example.com').getByText('On', { exact: true }).waitFor();
    await expectNoSidewaysScroll(guest);
    await button(guest, 'Edit: guest@example.com').tap();
    await dialog.getByRole('checkbox', { name: 'Quiet hours' }).tap();
    await expectNoSidewaysScroll(guest);
    await guest.context().close();

    await openSettings(page);
    const row = page
      .getByRole('list', { name: 'Where others are told' })
      .getByRole('listitem')
      .filter({ hasText: 'Belongs to guest' });
    await row.waitFor();
    expect(await row.getByRole('button').allInnerTexts()).toEqual(['Turn off', 'Remove']);
    await button(row, 'Turn off: guest@example.com').click();
    await row.getByText('Off', { exact: true }).waitFor();
  });

  test('axe finds nothing in either theme, and nothing was thrown', async () => {
    await openSettings(page);
    await rowOf(page, ADA).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect({ colorScheme, found: await runAxe(page) }).toEqual({ colorScheme, found: [] });
    }
    expect(bench.troubles).toEqual([]);
  });
});
