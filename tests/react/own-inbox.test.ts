/// <reference lib="dom" />
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectBeckon } from '../../packages/beckon/src/client/index.ts';
import type { Beckon } from '../../packages/beckon/src/core/beckon.ts';
import type { AnswerInput, AskInput, Kind } from '../../packages/beckon/src/protocol/index.ts';
import { openBrowser } from '../harness/browser.ts';
import { CliBench } from '../harness/cli.ts';
import { runAxe } from '../inbox/axe.ts';
import { describeInChromium } from './describe-in-chromium.ts';

const example = fileURLToPath(new URL('../../examples/own-inbox/index.ts', import.meta.url));
const CHAT = 'support';
let bench: CliBench;
let url: string;
let agent: Beckon;
let app: ChildProcess;
let address: string;
let browser: Browser;
let page: Page;
let complaints: string[];

describeInChromium('the example own-inbox', () => {
  beforeAll(async () => {
    bench = await CliBench.open();
    ({ url } = await bench.up());
    agent = connectBeckon(url, { token: (await readFile(join(bench.home, 'token'), 'utf8')).trim() });
    const created = await bench.run(['token', 'create', 'desk', '--role', 'person', '--chat', CHAT, '--json']);
    const { token } = JSON.parse(created.stdout) as { token: string };
    const port = await findPort();
    address = `http://127.0.0.1:${port}`;
    const env = { ...process.env, PORT: String(port), BECKON_URL: url, CHAT_TOKEN: token, CHAT_ID: CHAT, WHO: 'desk' };
    app = spawn(process.execPath, [example], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    await once(createInterface({ input: app.stdout! }), 'line');
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    app?.kill();
    await agent?.close();
    await bench?.close();
  });
  beforeEach(async () => {
    complaints = [];
    page = await browser.newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
  });
  afterEach(async () => {
    await agent.cancel({ chatId: CHAT });
    await page.close();
    // A strict policy for content is in force, and nothing may break it.
    if (complaints.length > 0) throw new Error(`The browser complained: ${complaints.join('; ')}`);
  });

  test('a press on Allow answers the agent that waits', async () => {
    const asked = await ask({ kind: 'approval', request: { tool: 'Bash', input: { command: 'npm test' } } });
    await page.goto(address);
    await press(button('Allow'));
    const { answer, answeredBy } = await agent.wait<'approval'>(asked.id);
    expect(answer).toEqual({ decision: 'allow' });
    expect(answeredBy).toEqual({ who: 'desk', via: 'api', kind: 'person' });
    await page.getByText(/^Allowed: /).waitFor();
    await page.getByText('Nothing is waiting for you.').waitFor();
  });

  test.each<{ name: string; input: AskInput; act: () => Promise<void>; answer: AnswerInput }>([
    {
      name: 'a question',
      input: { kind: 'question', request: { question: 'Go on?', options: [{ label: 'Yes' }, { label: 'No' }] } },
      act: async () => {
        await page.getByRole('radio', { name: 'No', exact: true }).check();
        await press(button('Answer'));
      },
      answer: { selected: ['No'] },
    },
    {
      name: 'a plan, whose Markdown is formatted',
      input: { kind: 'plan_review', request: { plan: '# The plan\n\n1. Write &lt;it&gt;\n2. Ship it\n' } },
      act: async () => {
        await page.getByRole('heading', { name: 'The plan' }).waitFor();
        await page.getByText('Write <it>').waitFor();
        await press(button('Accept, with a clear context'));
      },
      answer: { decision: 'clean_edit' },
    },
    {
      name: 'an approval with code in color',
      input: { kind: 'approval', request: { tool: 'Bash', input: { command: 'for f in *; do echo "$f"; done' } } },
      act: async () => {
        await page.locator('.tok-keyword').first().waitFor();
        await press(button('Deny'));
      },
      answer: { decision: 'deny' },
    },
    {
      name: 'a form',
      input: {
        kind: 'form',
        request: { message: 'Who?', schema: { type: 'object', properties: { name: { type: 'string' } } } },
      },
      act: async () => {
        await page.getByRole('textbox', { name: 'name' }).fill('Ada');
        await press(button('Send'));
      },
      answer: { values: { name: 'Ada' } } as unknown as AnswerInput,
    },
    {
      name: 'a component',
      input: {
        kind: 'component',
        request: { components: [{ type: 'card', title: 'Done', actions: ['Archive'] }] },
      },
      act: () => press(button('Archive')),
      answer: { action: 'click' },
    },
  ])('$name is answered once, in the chat view, and stays with its outcome', async ({ input, act, answer }) => {
    const asked = await ask(input);
    await openChat();
    await act();
    const settled = await agent.wait(asked.id);
    expect(settled.answer).toMatchObject(answer);
    await page.getByRole('article').getByRole('status').getByText('by desk over the API (you)').waitFor();
    expect(await page.getByRole('article').locator('[data-decides]').count()).toBe(0);
  });

  test('requests of other chats are never shown', async () => {
    const other = await agent.ask({
      chatId: 'elsewhere',
      kind: 'approval',
      request: { tool: 'Bash', input: { command: 'echo secret' } },
    });
    await page.goto(address);
    await page.getByText('Nothing is waiting for you.').waitFor();
    // The stream of events is filtered, too: the next of this chat comes alone.
    await agent.ask({ chatId: 'elsewhere', kind: 'question', request: { question: 'Secret?' } });
    await ask({ kind: 'question', request: { question: 'Ours?' } });
    await page.getByText('1 request is waiting').waitFor();
    expect(await page.locator('body').textContent()).not.toMatch(/secret/i);
    await agent.cancel({ chatId: 'elsewhere' });
    expect((await agent.get(other.id))?.status).toBe('cancelled');
  });

  test('a double click decides one request and not the next', async () => {
    const first = await ask(approval('echo 1'));
    const second = await ask(approval('echo 2'));
    await page.clock.install();
    await page.goto(address);
    await page.getByText('2 requests are waiting').waitFor();
    await ready(button('Allow'));
    // The page's time stands still, so the next request has only just come, however slow this machine is.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
    const { x, y } = await center(button('Allow'));
    await page.mouse.dblclick(x, y);
    expect((await agent.wait<'approval'>(first.id)).answer?.decision).toBe('allow');
    const next = page.getByRole('article', { name: /echo 2/ }).getByRole('button', { name: 'Allow', exact: true });
    await expect.poll(() => page.clock.runFor(20).then(() => next.count())).toBe(1);
    const place = await center(next);
    await page.mouse.dblclick(place.x, place.y);
    await page.getByText('Not sent: this request had just come into view.').waitFor();
    expect((await agent.get(second.id))?.status).toBe('pending');
    await page.clock.resume();
    await press(button('Allow'));
    expect((await agent.wait<'approval'>(second.id)).answer?.decision).toBe('allow');
  });

  test('of several cards on one page, a press decides the one that it is in', async () => {
    const asked = [await ask(approval('echo 1')), await ask(approval('echo 2')), await ask(approval('echo 3'))];
    await openChat();
    await expect.poll(() => page.getByRole('article').count()).toBe(3);
    await press(page.getByRole('article', { name: /echo 2/ }).getByRole('button', { name: 'Deny', exact: true }));
    expect((await agent.wait<'approval'>(asked[1]!.id)).answer?.decision).toBe('deny');
    await press(page.getByRole('article', { name: /echo 3/ }).getByRole('button', { name: 'Allow', exact: true }));
    expect((await agent.wait<'approval'>(asked[2]!.id)).answer?.decision).toBe('allow');
    expect((await agent.get(asked[0]!.id))?.status).toBe('pending');
  });

  test('a press that began on something over the card decides nothing', async () => {
    const asked = await ask(approval('echo 1'));
    await openChat();
    await ready(button('Allow'));
    // A dialog of the app lies over the card, and closes as soon as it is pressed.
    await page.evaluate(() => {
      const cover = document.createElement('div');
      Object.assign(cover.style, { position: 'fixed', inset: '0', zIndex: '99' });
      cover.addEventListener('pointerdown', () => cover.remove());
      document.body.append(cover);
    });
    const { x, y } = await center(button('Allow'));
    await page.mouse.dblclick(x, y);
    await page.getByText('Not sent: this request had just come into view.').waitFor();
    expect((await agent.get(asked.id))?.status).toBe('pending');
    await press(button('Allow'));
    expect((await agent.wait<'approval'>(asked.id)).answer?.decision).toBe('allow');
  });

  test('what is dangerous takes a second press at another place', async () => {
    const asked = await ask(approval('rm -rf /'));
    await page.goto(address);
    await press(button('Allow'));
    const anyway = page.getByRole('button', { name: 'Allow anyway' });
    await ready(anyway);
    expect((await agent.get(asked.id))?.status).toBe('pending');
    await press(anyway);
    expect((await agent.wait<'approval'>(asked.id)).answer?.decision).toBe('allow');
  });

  test('keys of the page around stay with that page', async () => {
    const asked = await ask(approval('echo 1'));
    await page.goto(address);
    await ready(button('Allow'));
    await page.keyboard.press('y');
    await page.keyboard.press('n');
    // The keyboard works on the buttons themselves.
    await button('Deny').focus();
    await page.keyboard.press('Enter');
    expect((await agent.wait<'approval'>(asked.id)).answer?.decision).toBe('deny');
    expect(await page.getByRole('article').locator('[aria-keyshortcuts]').count()).toBe(0);
  });

  test('a request that somebody else answers stays with its outcome until the person goes on', async () => {
    const first = await ask(approval('echo 1'));
    await ask(approval('echo 2'));
    await page.goto(address);
    await ready(button('Allow'));
    await agent.answer(first.id, { decision: 'deny' }, { who: 'bob', via: 'api' });
    await page.getByText('It was settled elsewhere.').waitFor();
    expect(await page.getByRole('article', { name: /echo 1/ }).textContent()).toContain('Denied by');
    await page.getByRole('button', { name: 'Next request' }).click();
    await page.getByRole('article', { name: /echo 2/ }).waitFor();
  });

  test('the questions of one call are one row, and one press answers them all in one commit', async () => {
    const ids = await askCall();
    const after = await ask(approval('echo 1'));
    await page.goto(address);
    await page.getByText('2 requests are waiting').waitFor();
    await page.getByRole('button', { name: 'Question: Which database? 3 of 3 questions open' }).waitFor();
    const tabs = page.getByRole('tablist', { name: 'Questions of this call' });
    expect(await tabs.getByRole('tab').allInnerTexts()).toEqual(['Database', 'Region', 'Name', 'Review']);
    await choose('SQLite', 'eu-west', 'shop');
    await expect
      .poll(() => page.getByRole('definition').locator('p').allInnerTexts())
      .toEqual(['SQLite', 'eu-west', 'shop']);
    await press(button('Send 3 answers'));
    const settled = await Promise.all(ids.map((id) => agent.wait<'question'>(id)));
    expect(settled.map(({ answer }) => answer?.selected)).toEqual([['SQLite'], ['eu-west'], ['shop']]);
    expect(new Set(settled.map(({ settledAt }) => settledAt)).size).toBe(1);
    await page.getByText('3 answers sent').waitFor();
    await page.getByText('1 request is waiting').waitFor();
    await press(button('Deny'));
    expect((await agent.wait<'approval'>(after.id)).answer?.decision).toBe('deny');
  });

  test('a double click on Next sends nothing, and one on Send decides nothing of the next request', async () => {
    const [first = ''] = await askCall();
    const next = await ask(approval('echo 1'));
    await page.goto(address);
    await choose('SQLite', 'eu-west', 'shop');
    await page.getByRole('tab', { name: /^Name/ }).click();
    await twice(button('Next'));
    await page.getByText(/^Not sent/).waitFor();
    expect((await agent.get(first))?.status).toBe('pending');
    await ready(button('Send 3 answers'));
    await twice(button('Send 3 answers'));
    expect((await agent.wait<'question'>(first)).status).toBe('answered');
    await ready(button('Allow'));
    expect((await agent.get(next.id))?.status).toBe('pending');
  });

  test('if somebody else answers one question of a call, the others stay, and are sent without it', async () => {
    const ids = await askCall();
    await page.goto(address);
    await choose('SQLite', 'eu-west', 'shop');
    await ready(button('Send 3 answers'));
    await agent.answer(ids[0]!, { selected: ['PostgreSQL'] }, { who: 'bob', via: 'api' });
    await page.getByText('Already answered: PostgreSQL').waitFor();
    await page.getByRole('tab', { name: 'Database, answered' }).click();
    await page.getByRole('heading', { name: /^Answered by/ }).waitFor();
    await page.getByRole('tab', { name: 'Review' }).click();
    await press(button('Send 2 answers'));
    const settled = await Promise.all(ids.map((id) => agent.wait<'question'>(id)));
    expect(settled.map(({ answer }) => answer?.selected)).toEqual([['PostgreSQL'], ['eu-west'], ['shop']]);
  });

  test('the page around stays where it is when a call comes, and while one goes from tab to tab', async () => {
    await page.goto(address);
    await page.getByText('Nothing is waiting for you.').waitFor();
    await page.evaluate(() => document.body.style.setProperty('padding', '150vh 0'));
    await askCall();
    const choice = page.getByRole('radio', { name: 'SQLite' });
    await choice.waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await choice.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => scrollY);
    await choice.click();
    await page
      .getByRole('tabpanel', { name: /^Region/ })
      .and(page.locator(':focus'))
      .waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(before);
  });

  test('a card of one question of a call stays one question', async () => {
    const ids = await askCall();
    await openChat();
    await expect.poll(() => page.getByRole('article').count()).toBe(3);
    expect(await page.getByRole('tablist').count()).toBe(0);
    const card = page.getByRole('article', { name: 'Which region?' });
    await card.getByRole('radio', { name: 'us-east' }).check();
    await press(card.getByRole('button', { name: 'Answer', exact: true }));
    expect((await agent.wait<'question'>(ids[1]!)).answer?.selected).toEqual(['us-east']);
    expect((await agent.get(ids[0]!))?.status).toBe('pending');
  });

  test('a second version of a plan opens with what changed', async () => {
    const first = await ask({ kind: 'plan_review', sessionId: 'ses', request: { plan: '# The plan\n\n1. Write it' } });
    await agent.answer(first.id, { decision: 'adjust', feedback: 'Test it' }, { who: 'bob', via: 'api' });
    await ask({ kind: 'plan_review', sessionId: 'ses', request: { plan: '# The plan\n\n1. Write it\n2. Test it' } });
    await page.goto(address);
    await page.getByRole('button', { name: 'Changes since version 1', pressed: true }).waitFor();
    const remarks = page.getByRole('region', { name: 'What became of version 1' });
    expect(await remarks.textContent()).toMatch(/^Version 1: Sent back by .+Test it/);
  });

  test('the app keeps its look, the card keeps its own, and takes the colors it is given', async () => {
    await page.goto(address);
    await page.getByText('Nothing is waiting for you.').waitFor();
    const own = page.getByRole('button', { name: 'Show the chat' });
    const look = (one: Locator, name: string) =>
      one.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);
    expect(await look(own, 'background-color')).toBe('rgb(124, 45, 18)');
    expect(await look(own, 'border-top-style')).toBe('double');
    expect(await look(page.getByRole('heading', { name: 'Support desk' }), 'font-family')).toContain('Georgia');
    expect(await look(page.getByRole('heading', { name: 'Support desk' }), 'margin-top')).not.toBe('0px');
    await ask(approval('echo 1'));
    await ready(button('Allow'));
    // From the variable of the page, and nothing from its rule for buttons.
    expect(await look(button('Allow'), 'background-color')).toBe('rgb(15, 118, 110)');
    expect(await look(button('Allow'), 'text-transform')).toBe('none');
    expect(await look(button('Allow'), 'border-top-style')).toBe('solid');
    expect(await look(button('Allow'), 'font-family')).not.toContain('Georgia');
    const [list, card] = await Promise.all([
      page.getByRole('list').boundingBox(),
      page.getByRole('article').boundingBox(),
    ]);
    expect(card!.y - (list!.y + list!.height)).toBe(12);
    await page.evaluate(() => document.documentElement.style.setProperty('--beckon-accent', 'rgb(190, 24, 93)'));
    await expect.poll(() => look(button('Allow'), 'background-color')).toBe('rgb(190, 24, 93)');
  });

  test('axe finds nothing, in light and in dark', async () => {
    await ask(approval('rm -rf /'));
    await askCall();
    await page.goto(address);
    await ready(button('Allow'));
    expect(await runAxe(page)).toEqual([]);
    await page.getByRole('button', { name: /^Question: Which database/ }).click();
    await page.getByRole('tablist').waitFor();
    expect(await runAxe(page)).toEqual([]);
    await page.evaluate(() => document.querySelector('.beckon-ui')?.setAttribute('data-theme', 'dark'));
    await page.evaluate(() => document.body.style.setProperty('background', '#131417'));
    expect((await runAxe(page)).filter((found) => found.includes('beckon'))).toEqual([]);
  });
});

function approval(command: string): AskInput<'approval'> {
  return { kind: 'approval', request: { tool: 'Bash', input: { command } } };
}

function ask<K extends Kind>(input: AskInput<K>) {
  return agent.ask({ ...input, chatId: CHAT });
}

/** Asks three questions of one call, and gives their ids. */
async function askCall(): Promise<string[]> {
  const questions = [
    { question: 'Which database?', header: 'Database', options: [{ label: 'PostgreSQL' }, { label: 'SQLite' }] },
    { question: 'Which region?', header: 'Region', options: [{ label: 'eu-west' }, { label: 'us-east' }] },
    { question: 'Which name?', header: 'Name', options: [{ label: 'shop' }, { label: 'webshop' }] },
  ];
  const asked = await agent.askGroup(
    questions.map((request) => ({ kind: 'question' as const, chatId: CHAT, sessionId: 'ses', request })),
  );
  return asked.map(({ id }) => id);
}

/** Chooses an option in each of the next tabs, with the keyboard: quick clicks count as meant for the tab before. */
async function choose(...labels: string[]): Promise<void> {
  for (const label of labels) await page.getByRole('radio', { name: label, exact: true }).press('Space');
}

function button(name: string): Locator {
  return page.getByRole('article').getByRole('button', { name, exact: true });
}

async function openChat(): Promise<void> {
  await page.goto(address);
  await page.getByRole('button', { name: 'Show the chat' }).click();
  await page.getByRole('article').first().waitFor();
}

/** Waits until a press would count. */
async function ready(control: Locator): Promise<void> {
  await control.waitFor();
  await expect.poll(() => control.getAttribute('aria-disabled')).not.toBe('true');
}

/** Presses a control with the pointer, as soon as that would count. */
async function press(control: Locator): Promise<void> {
  await control.scrollIntoViewIfNeeded();
  await ready(control);
  const { x, y } = await center(control);
  // From elsewhere: somebody who comes back to a place means what is there now.
  await page.mouse.move(x, y - 200);
  await page.mouse.move(x, y);
  await ready(control);
  await page.mouse.click(x, y);
}

/** Two quick presses at the place where a control is now. */
async function twice(control: Locator): Promise<void> {
  const { x, y } = await center(control);
  await page.mouse.move(x, y - 200);
  await page.mouse.move(x, y);
  await page.mouse.dblclick(x, y);
}

async function center(control: Locator): Promise<{ x: number; y: number }> {
  const box = await control.boundingBox();
  if (box === null) throw new Error('Expected the control to be on the screen.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
