import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ReadMail, readMail } from '../../packages/beckon/src/testing/harness/read-mail.ts';
import { startSmtp, type TestSmtp } from '../../packages/beckon/src/testing/harness/smtp-server.ts';
import { describeInBrowser, expectShown, look, PageBench } from './page-bench.ts';

const ADA = 'ada@example.com';

let bench: PageBench;
let smtp: TestSmtp;
let webmail: Server;

describeInBrowser('a mail', () => {
  beforeAll(async () => {
    smtp = await startSmtp();
    bench = await PageBench.open([], {
      BECKON_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      BECKON_MAIL_FROM: 'Beckon <beckon@example.com>',
    });
    // Another site, as every webmail is one: the browser sends it no cookie of Beckon's, and Beckon none to it.
    webmail = createServer((_, response) => {
      response.setHeader('content-type', 'text/html').end(latest().html);
    });
    webmail.listen(0, '127.0.0.1');
    await once(webmail, 'listening');
  });
  afterAll(async () => {
    await bench?.close();
    await smtp?.close();
    webmail?.closeAllConnections();
    webmail?.close();
  });

  const latest = (): ReadMail => readMail(smtp.mails.at(-1)?.raw ?? '');

  /** Opens the last mail in a browser, and follows its link. */
  const follow = async (page: Page): Promise<void> => {
    await page.goto(`http://localhost:${(webmail.address() as AddressInfo).port}/`);
    await page.getByRole('link').click();
  };

  /** Asks, and waits for the mail about it. */
  const ask = async (question: string): Promise<string> => {
    const before = smtp.mails.length;
    const request = { question, options: [{ label: 'yes' }, { label: 'no' }] };
    const id = await bench.ask({ kind: 'question', request });
    await expect.poll(() => smtp.mails.length).toBe(before + 1);
    expect(latest().text).not.toContain(question);
    return id;
  };

  test('proves an address when its link is opened by whoever added it, and by nobody else', async () => {
    const page = await bench.newLoggedInPage();
    // The pages of these tests are in sight, so it has to want to be told even so.
    const added = await bench.cli.run(['notify', 'add', 'email', ADA, '--even-in-sight']);
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining(`A code was sent to ${ADA}.`) });
    expect(latest().link).toMatch(/\/prove#dst_[\w-]+\.\d{8}$/);

    const stranger = await bench.newPage();
    await follow(stranger);
    await stranger.getByRole('heading', { name: 'Log in to Beckon' }).waitFor();

    await follow(page);
    await page.getByText(`From now on ${ADA} is told of requests.`).waitFor();
    expect(page.url()).toBe(`${bench.url}/prove`);
    const listed = JSON.parse((await bench.cli.run(['notify', 'list', '--json'])).stdout);
    expect(listed).toMatchObject({ items: [{ kind: 'email', provenAt: expect.any(String) }] });
  });

  test('logs a browser in with one press, opens its request, and is answered there', async () => {
    const id = await ask('Deploy from the train?');
    const page = await bench.newPage();
    await follow(page);
    await page.getByRole('button', { name: 'Log in and open the request' }).click();
    await page.getByRole('article', { name: 'Deploy from the train?' }).waitFor();
    expect(page.url()).toBe(`${bench.url}/i/${id}`);
    await page.getByText('yes', { exact: true }).click();
    await look(page);
    await page.getByRole('button', { name: /^Answer/ }).click();
    expect((await bench.settled(id)).answeredBy).toMatchObject({ via: 'inbox' });

    const [, me] = await Promise.all([page.goto(bench.url), page.waitForResponse(/\/v1\/me$/)]);
    expect(await me.json()).toMatchObject({ role: 'person' });
  });

  test('is not used up by a program that opens its link and runs the page, but presses nothing', async () => {
    const id = await ask('Scanned?');
    for (let scan = 0; scan < 3; scan += 1) {
      const scanner = await bench.newPage();
      await follow(scanner);
      await scanner.getByRole('button', { name: 'Log in and open the request' }).waitFor();
      expect(await scanner.context().cookies()).toEqual([]);
    }
    const page = await bench.newPage();
    await follow(page);
    await page.getByRole('button', { name: 'Log in and open the request' }).click();
    await page.getByRole('article', { name: 'Scanned?' }).waitFor();
    await bench.answer(id, { text: 'yes' });
  });

  test('works once: a second browser is told so, and how to get in', async () => {
    const id = await ask('Twice?');
    const press = async (): Promise<Page> => {
      const page = await bench.newPage();
      await follow(page);
      await page.getByRole('button', { name: 'Log in and open the request' }).click();
      return page;
    };
    const first = await press();
    await first.getByRole('article', { name: 'Twice?' }).waitFor();
    expect(first.url()).not.toContain('#');
    const second = await press();
    await second.getByRole('alert').getByText('A link from an e-mail works once').waitFor();
    await expectShown(second.getByText('beckon open'));
    expect(await second.context().cookies()).toEqual([]);
    expect(second.url()).not.toContain('#');
    await bench.answer(id, { text: 'yes' });
  });

  test('in a browser that is logged in opens the request at once, and stays good for another', async () => {
    const id = await ask('At the desk?');
    const desk = await bench.newLoggedInPage();
    await follow(desk);
    await desk.getByRole('article', { name: 'At the desk?' }).waitFor();
    expect(desk.url()).toBe(`${bench.url}/i/${id}`);
    const phone = await bench.newPage();
    await follow(phone);
    await phone.getByRole('button', { name: 'Log in and open the request' }).click();
    await phone.getByRole('article', { name: 'At the desk?' }).waitFor();
    await bench.answer(id, { text: 'yes' });
  });

  test('lets nobody in once its request has ended', async () => {
    const id = await ask('Too late?');
    await bench.answer(id, { text: 'yes' });
    const page = await bench.newPage();
    await follow(page);
    await page.getByRole('button', { name: 'Log in and open the request' }).click();
    await page.getByRole('alert').getByText('This link no longer works').waitFor();
    expect(await page.context().cookies()).toEqual([]);
    expect(bench.troubles).toEqual([]);
  });
});
