// Some weeks of history for the pictures of docs/images/: what Claude Code asked comes from its hooks, what a release
// script asked from `ask`, as it would.

import { claudeCode } from '../../packages/beckon/src/adapters/hooks/dialects/claude-code.ts';
import { HookEngine } from '../../packages/beckon/src/adapters/hooks/hook-engine.ts';
import { openStore } from '../../packages/beckon/src/open-store.ts';
import { LocalBeckon } from '../../packages/beckon/src/runtime/local-beckon.ts';
import { newId } from '../../packages/beckon/src/runtime/new-id.ts';
import { FakeClock } from '../../packages/beckon/src/testing/fake-clock.ts';
import { Random } from '../../tests/harness/random.ts';

/** @typedef {import('../../packages/beckon/src/protocol/interaction.ts').AskInput} AskInput */
/** @typedef {import('../../packages/beckon/src/protocol/answers.ts').AnswerInput} AnswerInput */

const DAY_MS = 86_400_000;
const HISTORY_DAYS = 27;

/**
 * @typedef {{ agent: string, project: string, title: string, session: string, toHook?: () => Record<string, unknown>,
 *   toAsk?: () => AskInput, answer: (random: Random) => AnswerInput }} Story
 */

const CALLER = { name: 'ada-laptop', role: /** @type {const} */ ('agent') };

/** @type {readonly Story[]} */
const STORIES = [
  approval('webshop', 'Convert the cart to the customer’s currency', 'checkout', [
    'npm run test -- --changed',
    'git commit -am "Round totals once"',
    'rm -rf node_modules/.cache',
    'npx prisma migrate dev --name add-currency',
    'docker compose up -d redis',
  ]),
  approval('api', 'Plan rate limits for the public API', 'limits', [
    'npm test -- --run limits',
    'redis-cli flushdb',
    'git push origin main',
  ]),
  question('webshop', 'Convert the cart to the customer’s currency', 'checkout', [
    ['Should prices be shown with or without tax?', 'With tax', 'Without tax'],
    ['Which date format do invoices use?', '16 Nov 2026', '2026-11-16'],
    ['Is it fine to drop the column “legacy_id”?', 'Yes', 'Keep it for now'],
  ]),
  question('api', 'What comes after the limits?', 'plan', [
    ['What comes first: webhooks or exports?', 'Webhooks', 'Exports'],
    ['Who may create keys?', 'Owners', 'Every member'],
  ]),
  {
    agent: 'Claude Code',
    project: 'api',
    title: 'Make the import faster',
    session: 'import',
    toHook: () => ({
      tool_name: 'ExitPlanMode',
      tool_input: { plan: '# Split the import into batches\n\n1. Read 500 rows.\n2. Write them in one transaction.' },
    }),
    answer: (random) =>
      random.below(4) === 0
        ? { decision: 'adjust', feedback: 'Batches of 100, please; the table is busy in the morning.' }
        : { decision: random.pick(['edit', 'default']) },
  },
  {
    agent: 'release-bot',
    project: 'releases',
    title: 'Release 2.3',
    session: 'release',
    toAsk: () => ({
      kind: 'form',
      request: {
        message: 'Which version is next?',
        schema: {
          type: 'object',
          required: ['version'],
          properties: { version: { type: 'string', title: 'Version' } },
        },
      },
    }),
    answer: (random) => ({ values: { version: `2.3.${random.below(9)}` } }),
  },
];

/**
 * Fills an empty store, and returns the id of an approval that somebody answered.
 * @param {string} store
 * @returns {Promise<string>}
 */
export async function writeHistory(store) {
  const now = Date.now();
  const time = new FakeClock(now - HISTORY_DAYS * DAY_MS);
  const beckon = new LocalBeckon({
    store: await openStore(store),
    clock: time,
    newId,
    timeoutMs: null,
    onError: (error) => console.error(error),
  });
  await beckon.start();
  const hooks = new HookEngine({ dialect: claudeCode, beckon });
  /** @param {number} to */
  const moveTo = async (to) => {
    time.skip(Math.max(0, to - time.now()));
    await time.settle();
  };
  const random = new Random(7);
  let answered = '';
  for (let day = HISTORY_DAYS - 1; day >= 0; day -= 1) {
    const morning = Math.floor((now - day * DAY_MS) / DAY_MS) * DAY_MS + 8 * 3_600_000;
    const isWeekend = [0, 6].includes(new Date(morning).getUTCDay());
    const count = isWeekend ? random.below(3) : 5 + random.below(9);
    for (let index = 0; index < count; index += 1) {
      const at = Math.max(time.now() + 20_000, morning + ((index + random.below(100) / 100) / count) * 9 * 3_600_000);
      if (at > now - 2 * 3_600_000) break;
      await moveTo(at);
      answered = (await tell({ beckon, hooks, random, moveTo, day })) ?? answered;
    }
  }
  await hooks.close();
  await beckon.close();
  return answered;
}

/**
 * One request from start to end. Returns its id if it is an approval that somebody answered.
 * @param {{ beckon: LocalBeckon, hooks: HookEngine, random: Random, moveTo: (to: number) => Promise<void>, day: number
 * }} world
 */
async function tell({ beckon, hooks, random, moveTo, day }) {
  const story = random.pick([...STORIES, ...STORIES.slice(0, 3), ...STORIES.slice(0, 2)]);
  const asking = ask(beckon, hooks, story, `${story.session}-${day + 1}`);
  const { id, kind, createdAt } = await asking.asked;
  await end({ beckon, random, moveTo, story, id, asked: Date.parse(createdAt) });
  await asking.replied;
  const ended = await beckon.get(id);
  return kind === 'approval' && ended?.status === 'answered' ? id : null;
}

/**
 * @param {LocalBeckon} beckon
 * @param {HookEngine} hooks
 * @param {Story} story
 * @param {string} sessionId
 */
function ask(beckon, hooks, { agent, project, title, toHook, toAsk }, sessionId) {
  const context = { project, branch: 'main', machine: 'ada-laptop', agent, title };
  if (toAsk !== undefined) {
    return { asked: beckon.ask({ ...toAsk(), sessionId, context, timeout: '20m' }), replied: Promise.resolve({}) };
  }
  const hook = {
    session_id: sessionId,
    hook_event_name: 'PermissionRequest',
    cwd: `/home/ada/${project}`,
    ...toHook?.(),
  };
  const replied = hooks.handle(/** @type {never} */ (hook), {
    caller: CALLER,
    context,
    timeout: '20m',
    signal: new AbortController().signal,
  });
  return { asked: findPending(beckon, sessionId), replied };
}

/**
 * @param {LocalBeckon} beckon
 * @param {string} sessionId
 */
async function findPending(beckon, sessionId) {
  for (;;) {
    const [pending] = (await beckon.list({ sessionId, status: 'pending' })).items;
    if (pending !== undefined) return pending;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/**
 * @param {{ beckon: LocalBeckon, random: Random, moveTo: (to: number) => Promise<void>, story: Story, id: string,
 *   asked: number }} request
 */
async function end({ beckon, random, moveTo, story, id, asked }) {
  const fate = random.below(100);
  if (fate < 7) return moveTo(asked + 21 * 60_000);
  // Most take a minute, a few take much longer.
  const seconds = Math.exp(2.2 + (random.below(1000) + random.below(1000) + random.below(1000)) / 700);
  await moveTo(asked + Math.min(seconds, 1150) * 1000);
  if (fate < 12) return void (await beckon.cancel({ id }, 'The session was closed'));
  if (fate < 15) return void (await beckon.supersede(id, 'Answered in the terminal'));
  const by = { who: random.pick(['ada', 'ada', 'sam']), via: random.pick(['inbox', 'inbox', 'telegram', 'terminal']) };
  await beckon.answer(id, story.answer(random), by);
}

/**
 * @param {string} project
 * @param {string} title
 * @param {string} session
 * @param {readonly string[]} commands
 * @returns {Story}
 */
function approval(project, title, session, commands) {
  let index = 0;
  return {
    agent: 'Claude Code',
    project,
    title,
    session,
    toHook: () => ({
      tool_name: 'Bash',
      tool_input: { command: commands[(index += 1) % commands.length] ?? '' },
    }),
    answer: (random) =>
      random.below(8) === 0
        ? { decision: 'deny', message: 'Run the tests first.' }
        : { decision: 'allow', ...(random.below(5) === 0 && { remember: true }) },
  };
}

/**
 * @param {string} project
 * @param {string} title
 * @param {string} session
 * @param {readonly (readonly [question: string, ...options: string[]])[]} questions
 * @returns {Story}
 */
function question(project, title, session, questions) {
  let index = 0;
  const current = () => questions[index % questions.length] ?? ['?'];
  return {
    agent: 'Claude Code',
    project,
    title,
    session,
    toHook: () => {
      index += 1;
      const [text, ...options] = current();
      const asked = { question: text, header: '', multiSelect: false, options: options.map((label) => ({ label })) };
      return { tool_name: 'AskUserQuestion', tool_input: { questions: [asked] } };
    },
    answer: (random) => {
      const [, ...options] = current();
      const selected = random.pick(options);
      return { text: selected, selected: [selected] };
    },
  };
}
