/// <reference lib="dom" />
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AnswerInput, AskInput } from '../../packages/beckon/src/protocol/index.ts';
import { runAxe } from '../inbox/axe.ts';
import { describeInChromium } from './describe-in-chromium.ts';
import { approval, DeskBench } from './desk-bench.ts';

let desk: DeskBench;
let page: Page;

describeInChromium('the example own-inbox', () => {
  beforeAll(async () => {
    desk = await DeskBench.open();
  });
  afterAll(() => desk?.close());
  beforeEach(async () => {
    page = await desk.openPage();
  });
  afterEach(() => desk.closePage());

  test('a press on Allow answers the agent that waits', async () => {
    const asked = await desk.ask({ kind: 'approval', request: { tool: 'Bash', input: { command: 'npm test' } } });
    await page.goto(desk.address);
    await desk.press(desk.button('Allow'));
    const { answer, answeredBy } = await desk.agent.wait<'approval'>(asked.id);
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
        await desk.press(desk.button('Answer'));
      },
      answer: { selected: ['No'] },
    },
    {
      name: 'a plan, whose Markdown is formatted',
      input: { kind: 'plan_review', request: { plan: '# The plan\n\n1. Write &lt;it&gt;\n2. Ship it\n' } },
      act: async () => {
        await page.getByRole('heading', { name: 'The plan' }).waitFor();
        await page.getByText('Write <it>').waitFor();
        await desk.press(desk.button('Accept, with a clear context'));
      },
      answer: { decision: 'clean_edit' },
    },
    {
      name: 'an approval with code in color',
      input: { kind: 'approval', request: { tool: 'Bash', input: { command: 'for f in *; do echo "$f"; done' } } },
      act: async () => {
        await page.locator('.tok-keyword').first().waitFor();
        await desk.press(desk.button('Deny'));
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
        await desk.press(desk.button('Send'));
      },
      answer: { values: { name: 'Ada' } } as unknown as AnswerInput,
    },
    {
      name: 'a component',
      input: {
        kind: 'component',
        request: { components: [{ type: 'card', title: 'Done', actions: ['Archive'] }] },
      },
      act: () => desk.press(desk.button('Archive')),
      answer: { action: 'click' },
    },
  ])('$name is answered once, in the chat view, and stays with its outcome', async ({ input, act, answer }) => {
    const asked = await desk.ask(input);
    await desk.openChat();
    await act();
    const settled = await desk.agent.wait(asked.id);
    expect(settled.answer).toMatchObject(answer);
    await page.getByRole('article').getByRole('status').getByText('by desk over the API (you)').waitFor();
    expect(await page.getByRole('article').locator('[data-decides]').count()).toBe(0);
  });

  test('requests of other chats are never shown', async () => {
    const other = await desk.agent.ask({
      chatId: 'elsewhere',
      kind: 'approval',
      request: { tool: 'Bash', input: { command: 'echo secret' } },
    });
    await page.goto(desk.address);
    await page.getByText('Nothing is waiting for you.').waitFor();
    // The stream of events is filtered, too: the next of this chat comes alone.
    await desk.agent.ask({ chatId: 'elsewhere', kind: 'question', request: { question: 'Secret?' } });
    await desk.ask({ kind: 'question', request: { question: 'Ours?' } });
    await page.getByText('1 request is waiting').waitFor();
    expect(await page.locator('body').textContent()).not.toMatch(/secret/i);
    await desk.agent.cancel({ chatId: 'elsewhere' });
    expect((await desk.agent.get(other.id))?.status).toBe('cancelled');
  });

  test('a double click decides one request and not the next', async () => {
    const first = await desk.ask(approval('echo 1'));
    const second = await desk.ask(approval('echo 2'));
    await page.clock.install();
    await page.goto(desk.address);
    await page.getByText('2 requests are waiting').waitFor();
    await desk.ready(desk.button('Allow'));
    // The page's time stands still, so the next request has only just come, however slow this machine is.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
    const { x, y } = await desk.center(desk.button('Allow'));
    await page.mouse.dblclick(x, y);
    expect((await desk.agent.wait<'approval'>(first.id)).answer?.decision).toBe('allow');
    const next = page.getByRole('article', { name: /echo 2/ }).getByRole('button', { name: 'Allow', exact: true });
    await expect.poll(() => page.clock.runFor(20).then(() => next.count())).toBe(1);
    const place = await desk.center(next);
    await page.mouse.dblclick(place.x, place.y);
    await page.getByText('Not sent: this request had just come into view.').waitFor();
    expect((await desk.agent.get(second.id))?.status).toBe('pending');
    await page.clock.resume();
    await desk.press(desk.button('Allow'));
    expect((await desk.agent.wait<'approval'>(second.id)).answer?.decision).toBe('allow');
  });

  test('of several cards on one page, a press decides the one that it is in', async () => {
    const asked = [
      await desk.ask(approval('echo 1')),
      await desk.ask(approval('echo 2')),
      await desk.ask(approval('echo 3')),
    ];
    await desk.openChat();
    await expect.poll(() => page.getByRole('article').count()).toBe(3);
    await desk.press(page.getByRole('article', { name: /echo 2/ }).getByRole('button', { name: 'Deny', exact: true }));
    expect((await desk.agent.wait<'approval'>(asked[1]!.id)).answer?.decision).toBe('deny');
    await desk.press(page.getByRole('article', { name: /echo 3/ }).getByRole('button', { name: 'Allow', exact: true }));
    expect((await desk.agent.wait<'approval'>(asked[2]!.id)).answer?.decision).toBe('allow');
    expect((await desk.agent.get(asked[0]!.id))?.status).toBe('pending');
  });

  test('a press that began on something over the card decides nothing', async () => {
    const asked = await desk.ask(approval('echo 1'));
    await desk.openChat();
    await desk.ready(desk.button('Allow'));
    // A dialog of the app lies over the card, and closes as soon as it is pressed.
    await page.evaluate(() => {
      const cover = document.createElement('div');
      Object.assign(cover.style, { position: 'fixed', inset: '0', zIndex: '99' });
      cover.addEventListener('pointerdown', () => cover.remove());
      document.body.append(cover);
    });
    const { x, y } = await desk.center(desk.button('Allow'));
    await page.mouse.dblclick(x, y);
    await page.getByText('Not sent: this request had just come into view.').waitFor();
    expect((await desk.agent.get(asked.id))?.status).toBe('pending');
    await desk.press(desk.button('Allow'));
    expect((await desk.agent.wait<'approval'>(asked.id)).answer?.decision).toBe('allow');
  });

  test('what is dangerous takes a second press at another place', async () => {
    const asked = await desk.ask(approval('rm -rf /'));
    await page.goto(desk.address);
    await desk.press(desk.button('Allow'));
    const anyway = page.getByRole('button', { name: 'Allow anyway' });
    await desk.ready(anyway);
    expect((await desk.agent.get(asked.id))?.status).toBe('pending');
    await desk.press(anyway);
    expect((await desk.agent.wait<'approval'>(asked.id)).answer?.decision).toBe('allow');
  });

  test('keys of the page around stay with that page', async () => {
    const asked = await desk.ask(approval('echo 1'));
    await page.goto(desk.address);
    await desk.ready(desk.button('Allow'));
    await page.keyboard.press('y');
    await page.keyboard.press('n');
    // The keyboard works on the buttons themselves.
    await desk.button('Deny').focus();
    await page.keyboard.press('Enter');
    expect((await desk.agent.wait<'approval'>(asked.id)).answer?.decision).toBe('deny');
    expect(await page.getByRole('article').locator('[aria-keyshortcuts]').count()).toBe(0);
  });

  test('a request that somebody else answers stays with its outcome until the person goes on', async () => {
    const first = await desk.ask(approval('echo 1'));
    await desk.ask(approval('echo 2'));
    await page.goto(desk.address);
    await desk.ready(desk.button('Allow'));
    await desk.agent.answer(first.id, { decision: 'deny' }, { who: 'bob', via: 'api' });
    await page.getByText('It was settled elsewhere.').waitFor();
    expect(await page.getByRole('article', { name: /echo 1/ }).textContent()).toContain('Denied by');
    await page.getByRole('button', { name: 'Next request' }).click();
    await page.getByRole('article', { name: /echo 2/ }).waitFor();
  });

  test('a second version of a plan opens with what changed', async () => {
    const first = await desk.ask({
      kind: 'plan_review',
      sessionId: 'ses',
      request: { plan: '# The plan\n\n1. Write it' },
    });
    await desk.agent.answer(first.id, { decision: 'adjust', feedback: 'Test it' }, { who: 'bob', via: 'api' });
    await desk.ask({
      kind: 'plan_review',
      sessionId: 'ses',
      request: { plan: '# The plan\n\n1. Write it\n2. Test it' },
    });
    await page.goto(desk.address);
    await page.getByRole('button', { name: 'Changes since version 1', pressed: true }).waitFor();
    const remarks = page.getByRole('region', { name: 'What became of version 1' });
    expect(await remarks.textContent()).toMatch(/^Version 1: Sent back by .+Test it/);
  });

  test('the app keeps its look, the card keeps its own, and takes the colors it is given', async () => {
    await page.goto(desk.address);
    await page.getByText('Nothing is waiting for you.').waitFor();
    const own = page.getByRole('button', { name: 'Show the chat' });
    const look = (one: Locator, name: string) =>
      one.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);
    expect(await look(own, 'background-color')).toBe('rgb(124, 45, 18)');
    expect(await look(own, 'border-top-style')).toBe('double');
    expect(await look(page.getByRole('heading', { name: 'Support desk' }), 'font-family')).toContain('Georgia');
    expect(await look(page.getByRole('heading', { name: 'Support desk' }), 'margin-top')).not.toBe('0px');
    await desk.ask(approval('echo 1'));
    await desk.ready(desk.button('Allow'));
    // From the variable of the page, and nothing from its rule for buttons.
    await expect.poll(() => look(desk.button('Allow'), 'background-color')).toBe('rgb(15, 118, 110)');
    expect(await look(desk.button('Allow'), 'text-transform')).toBe('none');
    expect(await look(desk.button('Allow'), 'border-top-style')).toBe('solid');
    expect(await look(desk.button('Allow'), 'font-family')).not.toContain('Georgia');
    const [list, card] = await Promise.all([
      page.getByRole('list').boundingBox(),
      page.getByRole('article').boundingBox(),
    ]);
    expect(card!.y - (list!.y + list!.height)).toBe(12);
    await page.evaluate(() => document.documentElement.style.setProperty('--beckon-accent', 'rgb(190, 24, 93)'));
    await expect.poll(() => look(desk.button('Allow'), 'background-color')).toBe('rgb(190, 24, 93)');
  });

  test('axe finds nothing, in light and in dark', async () => {
    await desk.ask(approval('rm -rf /'));
    await desk.askCall();
    await page.goto(desk.address);
    await desk.ready(desk.button('Allow'));
    expect(await runAxe(page)).toEqual([]);
    await page.getByRole('button', { name: /^Question: Which database/ }).click();
    await page.getByRole('tablist').waitFor();
    expect(await runAxe(page)).toEqual([]);
    await page.evaluate(() => document.querySelector('.beckon-ui')?.setAttribute('data-theme', 'dark'));
    await page.evaluate(() => document.body.style.setProperty('background', '#131417'));
    expect((await runAxe(page)).filter((found) => found.includes('beckon'))).toEqual([]);
  });
});
