/// <reference lib="dom" />
import type { Locator, Page } from 'playwright-core';
import type { TestAsk } from './daemon-bench.ts';
import { look, type PageBench } from './page-bench.ts';

/**
 * One way to decide an interaction of one kind: the second of two such requests has the same control at the same place.
 */
export interface Decision {
  name: string;
  ask: TestAsk;
  /** What has to be chosen before, so that the control alone decides. */
  choose?: (page: Page) => Promise<void>;
  control: (page: Page) => Locator;
}

const button =
  (name: string) =>
  (page: Page): Locator =>
    page.getByRole('article').getByRole('button', { name, exact: true });
const APPROVAL = { kind: 'approval', request: { tool: 'Bash', input: { command: 'rm -rf build' } } };
const PLAN = { kind: 'plan_review', request: { plan: '# The plan\n\n1. Write it\n2. Ship it\n' } };

/** All five kinds, each with its yes and its no where it has both. */
export const DECISIONS: readonly Decision[] = [
  { name: 'Allow', ask: APPROVAL, control: button('Allow') },
  { name: 'Deny', ask: APPROVAL, control: button('Deny') },
  {
    name: 'Answer',
    ask: { kind: 'question', request: { question: 'Go on?', options: [{ label: 'Yes' }, { label: 'No' }] } },
    choose: (page) => page.getByRole('radio', { name: 'Yes', exact: true }).check(),
    control: button('Answer'),
  },
  {
    name: 'Accept the plan',
    ask: PLAN,
    control: button('Accept, with a clear context'),
  },
  {
    name: 'Send the plan back',
    ask: PLAN,
    choose: async (page) => {
      await button('Send back…')(page).click();
      await page.getByRole('textbox', { name: 'What should change?' }).fill('Smaller steps');
    },
    control: button('Send back'),
  },
  {
    name: 'Send a form',
    ask: {
      kind: 'form',
      request: { message: 'Who?', schema: { type: 'object', properties: { name: { type: 'string' } } } },
    },
    control: button('Send'),
  },
  {
    name: 'an action of a component',
    ask: { kind: 'component', request: { components: [{ type: 'button', label: 'Export', action: 'export' }] } },
    control: button('Export'),
  },
  {
    name: 'an action of a drawn component',
    ask: {
      kind: 'component',
      request: { components: [{ type: 'card', title: 'Sales', content: 'Down', actions: ['Deep Dive'] }] },
    },
    control: button('Deep Dive'),
  },
];

export function decisionCalled(name: string): Decision {
  const found = DECISIONS.find((one) => one.name === name);
  if (found === undefined) throw new Error(`Expected a decision called ${name}.`);
  return found;
}

/** Asks twice. What has to be chosen is chosen in both, the second first; the first is open and could be decided. */
export async function openFirstOfTwo(bench: PageBench, page: Page, { ask, choose, control }: Decision) {
  await clear(bench);
  const second = await bench.ask(ask);
  const first = await bench.ask(ask);
  if (choose !== undefined) {
    await page.goto(`${bench.url}/i/${second}`);
    await choose(page);
  }
  await page.goto(`${bench.url}/i/${first}`);
  await choose?.(page);
  await look(page);
  // What a choice unfolds has moved the control, and a press in that moment would count for nothing.
  await pause(400);
  return { first, second, at: await middleOf(control(page)) };
}

/** The point that a press on it has. It is brought into sight before. */
export async function middleOf(control: Locator): Promise<{ x: number; y: number }> {
  await control.scrollIntoViewIfNeeded();
  const box = await control.boundingBox();
  if (box === null) throw new Error('Expected the control to be in sight.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Ends whatever is pending. */
export async function clear(bench: PageBench): Promise<void> {
  for (;;) {
    // A page of the list, and there may be more.
    const { items } = await bench.call<{ items: { id: string }[] }>('/v1/interactions?status=pending');
    if (items.length === 0) return;
    for (const { id } of items) await bench.call(`/v1/interactions/${id}/cancel`, {});
  }
}

/** How it stands at the daemon. */
export async function statusOf(bench: PageBench, id: string): Promise<string> {
  return (await bench.call<{ status: string }>(`/v1/interactions/${id}`)).status;
}

/** A press this soon after something came into the page decides nothing there. A busy machine may be slower. */
export const SOON_MS = 400;

/** How many milliseconds after an element with this text came into the page a key is pressed for the first time. */
export function measurePress(page: Page, selector: string, text: string, key: string): Promise<number> {
  return page.evaluate(
    ([where, what, wanted]) =>
      new Promise<number>((resolve) => {
        let since: number | null = null;
        new MutationObserver(() => {
          if (document.querySelector(where)?.textContent.includes(what) === true) since ??= performance.now();
        }).observe(document.body, { subtree: true, childList: true });
        addEventListener('keydown', (event) => {
          if (event.key === wanted && since !== null) resolve(event.timeStamp - since);
        });
      }),
    [selector, text, key] as const,
  );
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
