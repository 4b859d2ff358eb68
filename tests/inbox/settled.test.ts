import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, expectShown, PageBench, readDrafts } from './page-bench.ts';

const DEPLOY = {
  kind: 'question',
  request: { question: 'Deploy?', options: [{ label: 'Yes' }, { label: 'No' }] },
};

let bench: PageBench;
let ada: Page;
let bob: Page;

describeInBrowser('what ends while somebody looks at it', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
    ada = await bench.newLoggedInPage({ who: 'ada' });
    bob = await bench.newLoggedInPage({ who: 'bob' });
  });
  afterAll(() => bench?.close());

  test('of two who answer at once one wins, and the other is told who and with what', async () => {
    const id = await bench.ask(DEPLOY);
    await Promise.all([openAndChoose(ada, id, 'Yes'), openAndChoose(bob, id, 'No')]);
    // Both answers are under way before either page hears of the other.
    const held = await Promise.all([ada, bob].map(holdAnswer));
    await Promise.all([ada, bob].map((page) => page.getByRole('button', { name: 'Answer', exact: true }).click()));
    await Promise.all(held.map(({ isHeld }) => isHeld));
    for (const { letGo } of held) letGo();

    const { status, answer, answeredBy } = await bench.settled(id);
    expect(status).toBe('answered');
    const winner = answeredBy?.who;
    const [winning, losing] = winner === 'ada' ? [ada, bob] : [bob, ada];
    const chosen = winner === 'ada' ? 'Yes' : 'No';
    expect(answer).toMatchObject({ selected: [chosen] });
    await winning.getByText(/^(Answered|Allowed|Denied|Accepted): .*\. Nothing else is waiting\.$/).waitFor();
    await losing.getByRole('alert').getByText(`Somebody was faster: ${winner} in the inbox`).waitFor();
    await losing.getByRole('article').getByText('Your answer did not count.').waitFor();
    await losing.getByRole('heading', { name: `Answered by ${winner} in the inbox` }).waitFor();
    await losing.getByRole('article').getByText(chosen, { exact: true }).first().waitFor();
    expect(await losing.getByRole('button', { name: 'Answer', exact: true }).count()).toBe(0);
  });

  test('each place where people answer has its own words', async () => {
    for (const [via, where] of [
      ['cli', String.raw`\(says: on the command line\)`],
      ['api', 'over the API'],
      ['carrier-pigeon', String.raw`\(says: via carrier-pigeon\)`],
    ]) {
      const id = await bench.ask(DEPLOY);
      await bench.call(`/v1/interactions/${id}/answer`, { answer: { text: 'No', selected: ['No'] }, via });
      await ada.goto(`${bench.url}/i/${id}`);
      await ada.getByRole('heading', { name: new RegExp(`^Answered by .+ ${where}$`) }).waitFor();
    }
    await expectShown(ada.getByRole('article').getByText('No', { exact: true }).first());
  });

  test('an answer from elsewhere closes the form, and says who and where', async () => {
    const id = await bench.ask(DEPLOY);
    await openAndChoose(ada, id, 'Yes');
    await bench.answer(id, { text: 'No', selected: ['No'] });
    await ada.getByRole('heading', { name: /^Answered by .+ \(says: in Telegram\)$/ }).waitFor();
    await ada.getByRole('article').getByRole('radio').first().waitFor({ state: 'detached' });
    await ada
      .getByRole('status')
      .getByText(/^Deploy\?: Answered by .+ \(says: in Telegram\)$/)
      .waitFor({ state: 'attached' });
    // The focus was in the form, and must not be lost with it.
    await expectShown(ada.locator('h2:focus'));
  });

  test('what was half written goes when it is settled elsewhere, also while the page is away', async () => {
    const [open, away, pending] = [await bench.ask(DEPLOY), await bench.ask(DEPLOY), await bench.ask(DEPLOY)];
    for (const id of [pending, away, open]) await openAndChoose(ada, id, 'Yes');
    expect((await readDrafts(ada)).toSorted()).toEqual([open, away, pending].toSorted());
    await bench.answer(open, { text: 'No', selected: ['No'] });
    await expect.poll(() => readDrafts(ada), { timeout: 60_000 }).not.toContain(open);
    await ada.goto('about:blank');
    await bench.answer(away, { text: 'No', selected: ['No'] });
    await ada.goto(`${bench.url}/i/${pending}`);
    await expect.poll(() => readDrafts(ada), { timeout: 60_000 }).toEqual([pending]);
    expect(await ada.getByRole('radio', { name: 'Yes' }).isChecked()).toBe(true);
    await bench.answer(pending, { text: 'No', selected: ['No'] });
  });

  test('one that expires says that silence is never a yes', async () => {
    const id = await bench.ask({ ...DEPLOY, timeout: '8s' });
    await ada.goto(`${bench.url}/i/${id}`);
    await ada.getByRole('heading', { name: 'Expired: nobody answered in time' }).waitFor();
    await ada.getByText('Silence is never a yes.').waitFor();
    expect((await bench.settled(id)).status).toBe('expired');
  });

  test('one that is cancelled says why', async () => {
    const id = await bench.ask(DEPLOY);
    await openAndChoose(ada, id, 'Yes');
    await bench.call(`/v1/interactions/${id}/cancel`, { reason: 'The agent was stopped' });
    await ada.getByRole('heading', { name: 'Cancelled' }).waitFor();
    await expectShown(ada.getByText('Reason: The agent was stopped'));
  });

  test('one that was settled outside says so', async () => {
    const id = await bench.ask(DEPLOY);
    await openAndChoose(ada, id, 'Yes');
    await bench.call(`/v1/interactions/${id}/supersede`, { reason: 'Answered in the terminal' });
    await expectShown(ada.getByRole('heading', { name: 'Ended elsewhere' }));
  });

  test('an answer that comes too late says so, and does not count', async () => {
    const id = await bench.ask(DEPLOY);
    await openAndChoose(ada, id, 'Yes');
    const { isHeld, letGo } = await holdAnswer(ada);
    await ada.getByRole('button', { name: 'Answer', exact: true }).click();
    await isHeld;
    await bench.call(`/v1/interactions/${id}/cancel`, {});
    letGo();
    await ada.getByRole('alert').getByText('Your answer came too late').waitFor();
    expect(await bench.settled(id)).toMatchObject({ status: 'cancelled' });
  });

  test('nothing was thrown, and no policy was broken', () => {
    expect(bench.troubles).toEqual([]);
  });
});

async function openAndChoose(page: Page, id: string, label: string): Promise<void> {
  await page.goto(`${bench.url}/i/${id}`);
  await page.getByRole('radio', { name: label, exact: true }).check();
}

/** Holds the next answer of a page on its way to the server. */
async function holdAnswer(page: Page): Promise<{ isHeld: Promise<void>; letGo: () => void }> {
  const held = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  await page.route(
    '**/answer',
    async (route) => {
      held.resolve();
      await go.promise;
      await route.continue();
    },
    { times: 1 },
  );
  return { isHeld: held.promise, letGo: go.resolve };
}
