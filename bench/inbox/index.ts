// `npm run bench:inbox`: how long the page stops reacting with much to show. bench/README.md explains the figures.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { type Beckon, connectBeckon } from '../../packages/beckon/src/index.ts';
import { createLink } from '../../scripts/pictures/login.mjs';
import { openBrowser } from '../../tests/harness/browser.ts';
import { CliBench } from '../../tests/harness/cli.ts';
import { compareSamples, type Figure, type Section } from '../figure.ts';
import { type BenchContext, runBench } from '../run-bench.ts';
import { measureLongestTask } from './trace.ts';

interface Effort {
  pending: number;
  entries: number;
}

/** What the large page is measured beside. */
const FEW = 100;
/** Longer than this, people notice. */
const LONGEST_MS = 100;
const AT_ONCE = 200;

/** The longest task of each thing that a person does. */
type Longest = Record<string, number>;

await runBench<Effort>({
  name: 'inbox',
  parts: ['list', 'conversation'],
  efforts: { full: { pending: 10_000, entries: 5000 }, quick: { pending: 2000, entries: 1000 } },
  run: benchInbox,
});

async function* benchInbox({ effort, hasPart }: BenchContext<Effort>): AsyncGenerator<Section> {
  if (hasPart('list')) {
    const few = await withPage((bench) => measureList(bench, FEW));
    const many = await withPage((bench) => measureList(bench, effort.pending));
    yield {
      name: `The page with ${effort.pending} pending requests`,
      figures: toFigures(many, few, `with ${FEW}`),
      notes: ['The longest task of the main thread, from a trace of Chromium, without throttling.'],
    };
  }
  if (hasPart('conversation')) {
    const few = await withPage((bench) => measureConversation(bench, FEW));
    const many = await withPage((bench) => measureConversation(bench, effort.entries));
    yield {
      name: `A conversation of ${effort.entries} entries`,
      figures: toFigures(many, few, `with ${FEW}`),
      notes: ['Each entry is a hook of Claude Code that went through the hook route.'],
    };
  }
}

/** A daemon, a browser that is logged in, and a client for what agents do. */
interface InboxBench {
  url: string;
  token: string;
  browser: Browser;
  page: Page;
  beckon: Beckon;
}

async function withPage<Result>(work: (bench: InboxBench) => Promise<Result>): Promise<Result> {
  const cli = await CliBench.open();
  const browser = await openBrowser({ isWhole: true });
  try {
    const { url } = await cli.up();
    const token = readFileSync(join(cli.home, 'token'), 'utf8').trim();
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(120_000);
    await page.goto(await createLink(cli.home, url));
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    const beckon = connectBeckon(url, { token });
    const result = await work({ url, token, browser, page, beckon });
    await beckon.close();
    return result;
  } finally {
    await browser.close();
    await cli.close();
  }
}

async function measureList({ url, browser, page, beckon }: InboxBench, pending: number): Promise<Longest> {
  await askMany(beckon, pending);
  const trace = (work: () => Promise<unknown>) => measureLongestTask(browser, page, work);
  const rows = page.locator('[data-id]');
  const search = page.getByRole('searchbox').first();
  return {
    'load the list': await trace(async () => {
      await page.goto(url);
      await rows.first().waitFor();
      await page
        .getByText(new RegExp(`\\b${pending.toLocaleString('en-US')}\\b|\\b${pending}\\b`))
        .first()
        .waitFor();
      await page.waitForTimeout(1000);
    }),
    'scroll through it': await trace(async () => {
      await rows.first().hover();
      for (let turn = 0; turn < 60; turn += 1) {
        await page.mouse.wheel(0, 1500);
        await page.waitForTimeout(20);
      }
    }),
    'search it': await trace(async () => {
      await search.fill('');
      await search.pressSequentially('task 7', { delay: 60 });
      await page.waitForTimeout(500);
      await search.fill('');
      await page.waitForTimeout(500);
    }),
    'receive 50 more': await trace(async () => {
      await askMany(beckon, 50);
      await page.waitForTimeout(1500);
    }),
    'open one and allow it': await trace(async () => {
      await rows.first().click();
      await page
        .getByRole('button', { name: /^Allow/ })
        .first()
        .waitFor();
      await page.waitForTimeout(1500);
      await page.keyboard.press('y');
      await page.waitForTimeout(1500);
    }),
  };
}

async function measureConversation(
  { url, token, browser, page, beckon }: InboxBench,
  entries: number,
): Promise<Longest> {
  const session = 'bench-session';
  await sendHooks({ url, token, session, entries });
  const { id } = await beckon.ask({
    kind: 'approval',
    sessionId: session,
    request: { tool: 'Bash', input: { command: 'npm test' } },
    timeout: null,
  });
  await page.goto(`${url}/i/${id}`);
  await page
    .getByRole('button', { name: /^Allow/ })
    .first()
    .waitFor();
  const trace = (work: () => Promise<unknown>) => measureLongestTask(browser, page, work);
  const drawer = page.getByRole('complementary', { name: 'Conversation' });
  return {
    'open the conversation': await trace(async () => {
      await page.keyboard.press('c');
      await drawer.waitFor();
      await page.waitForTimeout(1500);
    }),
    'scroll through it': await trace(async () => {
      await drawer.hover();
      for (let turn = 0; turn < 80; turn += 1) {
        await page.mouse.wheel(0, -2000);
        await page.waitForTimeout(30);
      }
    }),
  };
}

/** Approvals of sixty sessions in twenty projects, as agents ask them. */
async function askMany(beckon: Beckon, count: number): Promise<void> {
  for (let start = 0; start < count; start += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - start) }, (_, index) => start + index);
    await Promise.all(
      numbers.map((number) =>
        beckon.ask({
          kind: 'approval',
          sessionId: `session-${number % 60}`,
          timeout: null,
          request: { tool: 'Bash', input: { command: `npm run task -- ${number}`, description: `Run task ${number}` } },
          context: {
            project: `project-${number % 20}`,
            branch: 'main',
            agent: 'Claude Code',
            machine: 'laptop',
            title: `Session ${number % 60}: make everything better`,
            message: 'All tests pass. I will run the next task.',
          },
        }),
      ),
    );
  }
}

/** A session that worked for a long time, through the route of its hooks. */
async function sendHooks(options: { url: string; token: string; session: string; entries: number }): Promise<void> {
  const { url, token, session, entries } = options;
  const send = async (hook: object): Promise<void> => {
    const reply = await fetch(`${url}/hooks/claude`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ session_id: session, cwd: '/work', ...hook }),
    });
    if (!reply.ok) throw new Error(`A hook was refused: ${await reply.text()}`);
  };
  for (let start = 0; start < entries; start += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, entries - start) }, (_, index) => start + index);
    await Promise.all(numbers.map((number) => send(toHook(number))));
  }
}

function toHook(number: number): object {
  if (number % 10 === 0) return { hook_event_name: 'UserPromptSubmit', prompt: `Step ${number}: go on` };
  if (number % 10 === 9)
    return { hook_event_name: 'Stop', last_assistant_message: `Step ${number} is done.\n\n- one\n- two` };
  return {
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_use_id: `toolu_${number}`,
    tool_input: { command: `npm run task -- ${number}` },
    tool_response: { stdout: 'ok\n'.repeat(20) },
    duration_ms: number,
  };
}

function toFigures(many: Longest, few: Longest, beside: string): Figure[] {
  return Object.entries(many).map(([name, ms]) =>
    compareSamples({
      name,
      unit: 'ms',
      samples: [ms],
      beside: { name: beside, samples: [few[name] ?? Number.NaN] },
      target: { of: 'value', atMost: LONGEST_MS },
    }),
  );
}
