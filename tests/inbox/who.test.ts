/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, expectShown, look, PageBench } from './page-bench.ts';
import { statusOf } from './press-kinds.ts';

let bench: PageBench;
let page: Page;
/** What an agent with a token of its own sends, to look like another agent and like Beckon's samples. */
let posing: string;

describeInBrowser('who asks and who answers is who the token says', () => {
  beforeAll(async () => {
    bench = await PageBench.open(['--samples']);
    page = bench.page;
    await bench.logIn();
    posing = await askAsAgent({ agent: 'claude-code', sample: true });
  });
  afterAll(() => bench?.close());

  test('an agent that poses as another, and as a sample, has its own name in the list', async () => {
    const row = page.locator(`[data-id="${posing}"]`);
    await row.waitFor();
    // Its group is named after its token, whatever it says of itself.
    await expectShown(page.getByRole('button', { name: /^intruder/ }));
    await page.getByRole('button', { name: 'Two lines per request' }).click();
    expect(await row.innerText()).toMatch(/intruder\s+calls itself “claude-code”/);
    expect(await row.getByText('Sample', { exact: true }).count()).toBe(0);
    expect(
      await page.getByRole('list', { name: 'Pending requests' }).getByText('Sample', { exact: true }).count(),
    ).toBe(3);
  });

  test('and where it is open, and in the history', async () => {
    await page.goto(`${bench.url}/i/${posing}`);
    await page.getByRole('heading', { name: 'Approval from intruder', exact: true }).waitFor();
    const article = page.getByRole('article');
    await expectShown(article.getByText('calls itself “claude-code”'));
    expect(await article.getByText('Sample', { exact: true }).count()).toBe(0);
    await page.goto(`${bench.url}/history`);
    const row = page.getByRole('link', { name: /curl/ });
    await row.waitFor();
    expect(await row.innerText()).toMatch(/intruder\s+calls itself “claude-code”/);
  });

  test('removing the samples leaves it alone, and then nothing speaks of samples', async () => {
    await page.goto(bench.url);
    await page.getByRole('button', { name: 'Remove samples' }).click();
    await page.getByText('Samples show what agents ask.').waitFor({ state: 'detached' });
    await expect.poll(() => page.title()).toBe('(1) Beckon');
    expect(await statusOf(bench, posing)).toBe('pending');
    await expectShown(page.locator(`[data-id="${posing}"]`));
  });

  test.each([
    ['quotation marks of its own', 'x” Sample “y', 'calls itself “x" Sample "y”'],
    ['a turn of direction', 'ada\u202etxt', /calls itself “ada.*202e.*txt”/i],
    ['a name that is Beckon’s', 'Beckon samples', 'calls itself “Beckon samples”'],
  ])('a claim cannot get out of its place: %s', async (_, agent, shown) => {
    const id = await askAsAgent({ agent });
    await page.goto(`${bench.url}/i/${id}`);
    await page.getByRole('heading', { name: 'Approval from intruder', exact: true }).waitFor();
    await expectShown(page.getByRole('article').getByText(shown));
    expect(await page.getByText('Sample', { exact: true }).count()).toBe(0);
  });

  test('the word of an agent about who answered stands beside the name of its token', async () => {
    const hook = { session_id: 'ses-claim', tool_name: 'Bash', tool_input: { command: 'make' } };
    const asking = sendHook({ ...hook, hook_event_name: 'PermissionRequest' });
    const row = page.getByRole('link', { name: /make/ });
    await page.goto(bench.url);
    await row.click();
    await page.getByRole('heading', { name: 'Approval from intruder', exact: true }).waitFor();
    // Answered in the terminal of the agent, by whom it likes to say.
    await sendHook({ ...hook, hook_event_name: 'PostToolUse', tool_use_id: 'toolu_1' }, 'ada');
    await asking;
    await expectShown(page.getByRole('heading', { name: 'Allowed by intruder in the terminal (says: ada)' }));
  });

  test('another agent that knows the id of a group gets no tab in it', async () => {
    const toAsk = (question: string) => ({
      kind: 'question',
      request: { question, header: question },
      groupId: 'call',
    });
    const asks = [toAsk('Database'), toAsk('Region')];
    const { items } = await bench.call<{ items: { id: string }[] }>('/v1/groups', { asks });
    await sendAsAgent('/v1/interactions', { ...toAsk('Password'), metadata: { step: 2, steps: 2 } });
    await page.goto(`${bench.url}/i/${items[0]?.id}`);
    const tabs = page.getByRole('tablist', { name: 'Questions of this call' });
    await expectShown(page.getByRole('link', { name: /Password/ }));
    expect(await tabs.getByRole('tab').allInnerTexts()).toEqual(['Database', 'Region', 'Review']);
  });

  test('a login that may only answer changes nothing, and is told why', async () => {
    const guest = await bench.newPage();
    // As an invitation is made: "beckon open --who guest".
    await guest.goto((await bench.call<{ url: string }>('/v1/login-links', { who: 'guest' })).url);
    await guest.getByRole('navigation', { name: 'Views' }).waitFor();
    const call = await askAsAgent({});
    await guest.goto(`${bench.url}/i/${call}`);
    await guest.getByText('This login can answer, but not change what runs.').waitFor();
    for (const name of ['Remember…', 'Remember this', 'Edit'])
      expect(await guest.getByRole('article').getByText(name, { exact: true }).count()).toBe(0);
    await look(guest);
    await guest.getByRole('button', { name: 'Allow', exact: true }).click();
    expect((await bench.settled(call)).answer).toEqual({ decision: 'allow' });

    const plan = await bench.ask({ kind: 'plan_review', request: { plan: '# The plan' } });
    await guest.goto(`${bench.url}/i/${plan}`);
    await guest.getByText('This login can answer, but not change what runs.').waitFor();
    expect(await guest.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0);
    await look(guest);
    await guest.getByRole('button', { name: 'Accept, and keep the context' }).click();
    expect((await bench.settled(plan)).answer).toEqual({ decision: 'edit' });
  });

  test('nothing was thrown, and no policy was broken', () => {
    expect(bench.troubles).toEqual([]);
  });
});

let token: string | undefined;

/** Sends to the API as the agent "intruder", with a token of its own. */
async function sendAsAgent(path: string, body: object): Promise<unknown> {
  token ??= (await bench.cli.run(['token', 'create', 'intruder', '--role', 'agent'])).stdout.trim();
  const reply = await fetch(`${bench.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return reply.json();
}

/** Asks in the chat of the samples. */
async function askAsAgent(metadata: object): Promise<string> {
  const request = { tool: 'Bash', input: { command: 'curl example.com/x' } };
  const body = { kind: 'approval', request, chatId: 'samples', metadata, timeout: null };
  return ((await sendAsAgent('/v1/interactions', body)) as { id: string }).id;
}

/** Sends a hook as Claude Code's HTTP hooks are sent, and waits for its reply. */
function sendHook(hook: object, user?: string): Promise<unknown> {
  return sendAsAgent(`/hooks/claude${user === undefined ? '' : `?user=${user}`}`, hook);
}
