/// <reference lib="dom" />
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MachineLogin, MachineLoginBody } from '../../packages/beckon/src/protocol/machine-login.ts';
import { makeMachineLogin } from '../../packages/beckon/src/testing/harness/machine-login.ts';
import { TestMachine } from '../harness/machine.ts';
import { describeInBrowser, expectShown, PageBench } from './page-bench.ts';

let bench: PageBench;
let page: Page;
let laptops = 0;

/** A machine that nobody has used yet. */
function newLaptop(): TestMachine {
  laptops += 1;
  return new TestMachine(bench.cli, `laptop${laptops}`);
}

/** Starts a login as any program can, with whatever it says of itself. */
async function start(changes: Partial<MachineLoginBody>): Promise<{ code: string; readStatus: () => Promise<string> }> {
  const { secret, body } = makeMachineLogin(changes);
  const { id, userCode } = await bench.call<{ id: string; userCode: string }>('/v1/machine-logins', body);
  const headers = { authorization: `Bearer bkn_${id}_${secret}` };
  const readStatus = async (): Promise<string> => {
    const reply = await fetch(`${bench.url}/v1/machine-logins/status`, { headers });
    return ((await reply.json()) as { status: string }).status;
  };
  return { code: userCode, readStatus };
}

const button = (on: Page, name: string): Locator => on.getByRole('button', { name, exact: true });
/** A button that a press would be accepted by. */
const ready = (on: Page, name: string): Locator => button(on, name).and(on.locator('[aria-disabled="false"]'));
const lastFour = (on: Page): Locator => on.getByRole('textbox', { name: /^Last four letters/ });

/** Types a code by hand, as somebody does who has the terminal in front of them. */
async function enterCode(on: Page, code: string): Promise<void> {
  await on.goto(`${bench.url}/connect`);
  await on.getByRole('textbox', { name: 'Code' }).click();
  await on.keyboard.type(code);
  await button(on, 'Next').click();
}

/** Opens a link, and waits until it is shown. */
async function openLink(on: Page, code: string): Promise<void> {
  // The same address with another fragment would not load the page again.
  await on.goto('about:blank');
  await on.goto(`${bench.url}/connect#${code}`);
  await on.getByRole('article').waitFor();
}

/** Presses with the pointer, like a person who has looked at it. */
async function press(on: Page, name: string): Promise<void> {
  await ready(on, name).waitFor();
  await button(on, name).click();
}

describeInBrowser('machines on the page', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
    page = bench.page;
    await bench.logIn();
  });
  beforeEach(async () => {
    // Names that are taken would change what is shown.
    const { items } = await bench.call<{ items: { id: string }[] }>('/v1/machines');
    for (const { id } of items) await bench.call(`/v1/machines/${id}`, undefined, 'DELETE');
  });
  afterAll(() => bench?.close());

  test('a code that is typed lets a machine in after the person says that they started it', async () => {
    const laptop = newLaptop();
    const login = await laptop.login(bench.url, '--name', 'Laptop');
    await enterCode(page, login.code.toLowerCase().replace('-', ' '));
    await page.getByRole('heading', { name: 'Did you start this on a machine called “Laptop”?' }).waitFor();
    const facts = page.getByRole('article');
    await facts.getByText(login.code, { exact: true }).waitFor();
    await facts.getByText('127.0.0.1', { exact: true }).waitFor();
    // Without the tick the button does nothing.
    await ready(page, 'Refuse').waitFor();
    expect(await button(page, 'Let it in').getAttribute('aria-disabled')).toBe('true');
    await button(page, 'Let it in').click({ force: true });
    await page.getByRole('checkbox', { name: /I started it myself/ }).check();
    await press(page, 'Let it in');
    await page.getByText('@laptop is connected').waitFor();
    const ended = await bench.cli.finish(login);
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Logged in at .* as \S+@laptop, approved/) });
    expect((await laptop.run('whoami')).code).toBe(0);
  });

  test('a link shows half of its code, and the terminal has the rest', async () => {
    const login = await newLaptop().login(bench.url);
    await page.goto('about:blank');
    await page.goto(login.link);
    await page.getByRole('article').waitFor();
    // The code is in neither the address nor what is shown.
    expect(page.url()).toBe(`${bench.url}/connect`);
    const [first = '', rest = ''] = login.code.split('-');
    const shown = await page.getByRole('main').innerText();
    expect(shown).toContain(`${first}-`);
    expect(shown).not.toContain(rest);
    await lastFour(page).click();
    await page.keyboard.type(rest === 'ZZZZ' ? 'BBBB' : 'ZZZZ');
    await page.getByText('These are not the letters of this code.').waitFor();
    expect(await button(page, 'Let it in').getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Enter');
    await lastFour(page).fill(rest.toLowerCase());
    await ready(page, 'Let it in').waitFor();
    await lastFour(page).press('Enter');
    await page.getByText('is connected').waitFor();
    expect((await bench.cli.finish(login)).code).toBe(0);
  });

  test('a link of somebody else shows whose it is, and is refused', async () => {
    const login = await newLaptop().login(bench.url, '--name', 'ada’s laptop');
    await openLink(page, login.code);
    await expectShown(page.getByText('Let in only what you started yourself'));
    await expectShown(page.getByText('If somebody sent you this code or this page, refuse.'));
    await press(page, 'Refuse');
    await expectShown(page.getByText('The machine was refused'));
    const { code, stderr } = await bench.cli.finish(login);
    expect(code).toBe(3);
    expect(stderr).toContain('refused this machine');
  });

  test('a press in the moment in which the machine appears decides nothing', async () => {
    const { code, readStatus } = await start({});
    const other = await page.context().newPage();
    await other.addInitScript(() => {
      const observer = new MutationObserver(() => {
        const refuse = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Refuse');
        if (refuse === undefined) return;
        observer.disconnect();
        refuse.click();
      });
      observer.observe(document, { childList: true, subtree: true });
    });
    await other.goto(`${bench.url}/connect#${code}`);
    await other.getByText('Not sent: this had just come into view. Press again.').first().waitFor();
    expect(await readStatus()).toBe('pending');
    await press(other, 'Refuse');
    await other.getByText('The machine was refused').waitFor();
    expect(await readStatus()).toBe('refused');
    await other.close();
  });

  test('a link that arrives while another is shown must be seen before a press counts', async () => {
    const [first, second] = [await start({ machine: 'first' }), await start({ machine: 'second' })];
    await openLink(page, first.code);
    await lastFour(page).fill(first.code.slice(5));
    await ready(page, 'Let it in').waitFor();
    const box = await button(page, 'Let it in').boundingBox();
    await page.mouse.move((box?.x ?? 0) + 10, (box?.y ?? 0) + 10);
    await page.mouse.down();
    await page.evaluate((hash) => {
      location.hash = hash;
    }, second.code);
    await page.getByRole('heading', { name: /called “second”/ }).waitFor();
    await page.mouse.up();
    expect(await first.readStatus()).toBe('pending');
    expect(await second.readStatus()).toBe('pending');
    expect(await lastFour(page).inputValue()).toBe('');
    await press(page, 'Refuse');
    await page.getByText('The machine was refused').waitFor();
    expect(await second.readStatus()).toBe('refused');
    expect(await first.readStatus()).toBe('pending');
  });

  test('of two people who decide, the second hears who was first', async () => {
    const { code, readStatus } = await start({ machine: 'shared' });
    const [ada, bo] = await Promise.all([bench.newLoggedInPage({ who: 'ada' }), bench.newLoggedInPage({ who: 'bo' })]);
    for (const person of [ada, bo]) {
      await openLink(person, code);
      await lastFour(person).fill(code.slice(5));
      await ready(person, 'Let it in').waitFor();
    }
    await press(ada, 'Let it in');
    await ada.getByText('ada@shared is connected').waitFor();
    await press(bo, 'Let it in');
    await bo.getByText('ada has approved it already').waitFor();
    expect(await readStatus()).toBe('approved');
    const { items } = await bench.call<{ items: { owner: string }[] }>('/v1/machines');
    expect(items.map(({ owner }) => owner)).toEqual(['ada']);
    await Promise.all([ada.context().close(), bo.context().close()]);
  });

  test('a code that is wrong, used, or of a machine that stopped waiting leads nowhere, in words', async () => {
    await enterCode(page, 'BCDF');
    await page.getByText('A code has eight letters').waitFor();
    await enterCode(page, 'ZZZZ-ZZZZ');
    await page.getByText('No machine waits with this code.').waitFor();
    const login = await newLaptop().login(bench.url);
    await openLink(page, login.code);
    login.child.kill('SIGINT');
    expect((await bench.cli.finish(login)).code).toBe(5);
    await press(page, 'Refuse');
    await expectShown(page.getByText('Nothing was changed'));
    await expectShown(page.getByText('No machine waits with this code.'));
  });

  test('a name that is taken is said, and one that is taken meanwhile must be looked at again', async () => {
    const { code: first } = await start({ machine: 'laptop' });
    await openLink(page, first);
    await lastFour(page).fill(first.slice(5));
    await ready(page, 'Let it in').waitFor();
    // Somebody else lets in a machine of the same name.
    const { code: second } = await start({ machine: 'laptop' });
    const { id, name } = await bench.call<MachineLogin>(`/v1/machine-logins/${second}`);
    await bench.call(`/v1/machine-logins/${second}/approve`, { id, name });
    await press(page, 'Let it in');
    await page.getByText('Its name has changed').waitFor();
    await page.getByText('ada@laptop-2').waitFor();
    await page.getByText('The name ada@laptop is taken').waitFor();
    expect(await button(page, 'Let it in').getAttribute('aria-disabled')).toBe('true');
    await lastFour(page).fill(first.slice(5));
    await press(page, 'Let it in');
    await expectShown(page.getByText('ada@laptop-2 is connected'));
  });

  test('names that hide or disguise something are marked', async () => {
    const { code } = await start({ machine: 'l\u0430ptop\u202e', user: 'a\u200bda', agents: ['Cl\u0430ude Code'] });
    await openLink(page, code);
    const shown = await page.getByRole('article').innerText();
    for (const mark of ['[U+0430]', '[U+202E]', '[U+200B]']) expect(shown).toContain(mark);
    expect(shown).toMatch(/Cl\u0430\[U\+0430\]ude Code/);
  });

  test('somebody who may only answer lets in their own machine', async () => {
    const { code } = await start({ machine: 'own' });
    const guest = await bench.newPage();
    await guest.goto((await bench.call<{ url: string }>('/v1/login-links', { who: 'guest' })).url);
    await guest.getByRole('navigation', { name: 'Views' }).waitFor();
    await guest.goto(`${bench.url}/connect#${code}`);
    await lastFour(guest).fill(code.slice(5));
    await press(guest, 'Let it in');
    await expectShown(guest.getByText('ada@own is connected'));
    await guest.context().close();
  });

  test('whoever is not logged in logs in first, and then goes on', async () => {
    const { code } = await start({ machine: 'patient' });
    const stranger = await bench.newPage();
    await stranger.goto(`${bench.url}/connect#${code}`);
    await stranger.getByText('A machine wants to be let in. Log in first').waitFor();
    await stranger.getByRole('textbox').fill(await bench.createLink('ada'));
    await button(stranger, 'Log in').click();
    await expectShown(stranger.getByRole('heading', { name: /called “patient”/ }));
    await stranger.context().close();
  });

  test('the settings lead to the machines, where one is revoked at once', async () => {
    const laptop = newLaptop();
    const login = await laptop.login(bench.url, '--name', 'Desk');
    await enterCode(page, login.code);
    await page.getByRole('checkbox', { name: /I started it myself/ }).check();
    await press(page, 'Let it in');
    await bench.cli.finish(login);
    await page.goto(bench.url);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Machines' }).click();
    const row = page.getByRole('listitem').filter({ hasText: '@desk' });
    await row.getByText('Belongs to you').waitFor();
    await row.getByText('Never used').waitFor();
    expect((await laptop.run('whoami')).code).toBe(0);
    await page.reload();
    await row.getByText('Last used').waitFor();
    await row.getByRole('button', { name: /^Revoke / }).click();
    await press(page, 'Revoke');
    await row.waitFor({ state: 'detached' });
    await page.getByText('No machine is connected').waitFor();
    const out = await laptop.run('whoami');
    expect(out.code).toBe(1);
    expect(out.stderr).toContain('was revoked there');
  });

  test('on a phone both buttons can be reached, and a tap decides', async () => {
    const { code, readStatus } = await start({ machine: 'pocket' });
    const phone = await bench.newLoggedInPage({
      viewport: { width: 360, height: 640 },
      hasTouch: true,
      isMobile: true,
    });
    await openLink(phone, code);
    await lastFour(phone).tap();
    await phone.keyboard.type(code.slice(5));
    await ready(phone, 'Let it in').waitFor();
    for (const name of ['Refuse', 'Let it in']) {
      const box = await button(phone, name).boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(640);
      expect(box?.height).toBeGreaterThanOrEqual(44);
    }
    await button(phone, 'Let it in').tap();
    await phone.getByText('is connected').waitFor();
    expect(await readStatus()).toBe('approved');
    await phone.context().close();
  });

  test('nothing was thrown, and no policy was broken', () => {
    expect(bench.troubles).toEqual([]);
  });
});
