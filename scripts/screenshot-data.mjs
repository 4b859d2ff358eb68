// The data in the pictures of docs/images/: three agents, some weeks of history, and a few pending requests.

import { openStore } from '../packages/beckon/src/open-store.ts';
import { LocalBeckon } from '../packages/beckon/src/runtime/local-beckon.ts';
import { newId } from '../packages/beckon/src/runtime/new-id.ts';
import { FakeClock } from '../packages/beckon/src/testing/fake-clock.ts';
import { Random } from '../tests/harness/random.ts';

/** @typedef {import('../packages/beckon/src/protocol/interaction.ts').AskInput} AskInput */
/** @typedef {import('../packages/beckon/src/protocol/answers.ts').AnswerInput} AnswerInput */

const DAY_MS = 86_400_000;
const HISTORY_DAYS = 27;

const PLAN = `# Rate limits for the public API

Two customers sent 40 requests a second last week, and everybody else waited. Each key gets a budget of its own.

## Steps

1. Count requests per key in Redis, in windows of one minute.
2. Answer \`429\` with \`Retry-After\` once the budget is used.
3. Log what *would* have been refused for two days, **without** refusing it.
4. Turn it on for new keys, then for all.

| plan | requests a minute | burst |
|---|---:|---:|
| Free | 60 | 10 |
| Team | 600 | 50 |
| Scale | 6,000 | 200 |

\`\`\`ts
const { allowed, retryAfter } = await limiter.take(key, { cost: 1 });
if (!allowed) return reply.code(429).header('retry-after', retryAfter);
\`\`\`

## What can go wrong

- Redis is down: requests pass, and an alert is raised.
- Clocks differ between servers: windows are counted by Redis, not by us.
`;

const OLD_CODE = `export async function total(cart: Cart): Promise<Money> {
  let sum = 0;
  for (const item of cart.items) {
    sum += item.price * item.quantity;
  }
  return { amount: sum, currency: 'EUR' };
}`;

const NEW_CODE = `export async function total(cart: Cart): Promise<Money> {
  const rate = await exchangeRate(cart.currency);
  let cents = 0;
  for (const item of cart.items) {
    cents += Math.round(item.price * 100 * rate) * item.quantity;
  }
  return { amount: cents / 100, currency: cart.currency };
}`;

/** @typedef {{ name: string, minutesAgo: number, ask: AskInput }} PendingAsk */

/** The pending requests, oldest first. @type {readonly PendingAsk[]} */
const PENDING = [
  {
    name: 'form',
    minutesAgo: 51,
    ask: {
      kind: 'form',
      chatId: 'releases',
      sessionId: 'release-2.4',
      timeout: '12h',
      metadata: { agent: 'release-bot' },
      request: {
        message: 'I am ready to publish 2.4.0. How shall it go out?',
        schema: {
          type: 'object',
          required: ['channel', 'rollout', 'notes'],
          properties: {
            channel: { type: 'string', title: 'Channel', enum: ['stable', 'beta', 'canary'], default: 'beta' },
            rollout: {
              type: 'integer',
              title: 'Rollout',
              description: 'Share of the users who get it on the first day, in percent.',
              minimum: 1,
              maximum: 100,
              default: 10,
            },
            notes: {
              type: 'string',
              title: 'Release notes',
              default: 'Carts in several currencies, and a faster checkout.',
              maxLength: 2000,
            },
            after: { type: 'string', format: 'date', title: 'Not before' },
            announce: { type: 'boolean', title: 'Announce it in the newsletter?' },
          },
        },
      },
    },
  },
  {
    name: 'plan',
    minutesAgo: 34,
    ask: {
      kind: 'plan_review',
      chatId: 'api',
      sessionId: 'plan-rate-limits',
      timeout: '4h',
      metadata: { agent: 'planner' },
      request: { plan: PLAN, toolInput: { plan: PLAN } },
    },
  },
  {
    name: 'command',
    minutesAgo: 3,
    ask: {
      kind: 'approval',
      chatId: 'releases',
      sessionId: 'release-2.4',
      timeout: '15m',
      metadata: { agent: 'release-bot' },
      request: {
        tool: 'Bash',
        description: 'Publish the release candidate to npm.',
        input: {
          command: 'npm publish --tag next --provenance && git push origin v2.4.0-rc.1',
          description: 'Publish the release candidate',
          timeout: 120_000,
        },
        suggestions: [
          {
            type: 'addRules',
            behavior: 'allow',
            destination: 'session',
            rules: [{ toolName: 'Bash', ruleContent: 'npm publish --tag next:*' }],
          },
        ],
      },
    },
  },
  {
    name: 'edit',
    minutesAgo: 2,
    ask: {
      kind: 'approval',
      chatId: 'webshop',
      sessionId: 'checkout-currency',
      timeout: '30m',
      metadata: { agent: 'claude-code' },
      request: {
        tool: 'Edit',
        description: 'Totals in the currency of the cart.',
        input: { file_path: '/srv/webshop/src/cart/total.ts', old_string: OLD_CODE, new_string: NEW_CODE },
      },
    },
  },
  {
    name: 'second-question',
    minutesAgo: 1,
    ask: {
      kind: 'question',
      chatId: 'webshop',
      sessionId: 'checkout-currency',
      groupId: 'call-1',
      timeout: '1h',
      metadata: { agent: 'claude-code', step: 2, steps: 2 },
      request: {
        header: 'Old orders',
        question: 'Shall old orders be converted too?',
        options: [{ label: 'Yes' }, { label: 'No, they stay as they are' }],
      },
    },
  },
  {
    name: 'question',
    minutesAgo: 1,
    ask: {
      kind: 'question',
      chatId: 'webshop',
      sessionId: 'checkout-currency',
      groupId: 'call-1',
      timeout: '1h',
      metadata: { agent: 'claude-code', step: 1, steps: 2 },
      request: {
        header: 'Rates',
        question: 'Where should the exchange rates come from?',
        options: [
          {
            label: 'European Central Bank',
            description: 'Free, once a day, no key. Enough for prices that change daily.',
            preview: 'rates = fetchEcbRates()\n\n- once a day, kept in Redis\n- no key, no contract\n- 30 currencies',
          },
          {
            label: 'Payment provider',
            description: 'The rate that is charged in the end. Costs a call for every cart.',
            preview: 'rate = provider.quote(cart)',
          },
          { label: 'A table that we keep ourselves', description: 'Full control, and somebody has to look after it.' },
        ],
      },
    },
  },
];

/**
 * @typedef {{ agent: string, chatId: string, session: string, ask: () => AskInput,
 *   answer: (random: Random) => AnswerInput }} Story
 */

/** @type {readonly Story[]} */
const STORIES = [
  approval('claude-code', 'webshop', 'checkout', [
    'npm run test -- --changed',
    'git commit -am "Round totals once"',
    'rm -rf node_modules/.cache',
    'npx prisma migrate dev --name add-currency',
    'docker compose up -d redis',
  ]),
  approval('release-bot', 'releases', 'release', [
    'npm publish --tag next',
    'git push origin main --follow-tags',
    'gh release create v2.3.4 --notes-file notes.md',
  ]),
  question('claude-code', 'webshop', 'checkout', [
    ['Should prices be shown with or without tax?', 'With tax', 'Without tax'],
    ['Which date format do invoices use?', '16 Nov 2026', '2026-11-16'],
    ['Is it fine to drop the column “legacy_id”?', 'Yes', 'Keep it for now'],
  ]),
  question('planner', 'api', 'plan', [
    ['What comes first: webhooks or exports?', 'Webhooks', 'Exports'],
    ['Who may create keys?', 'Owners', 'Every member'],
  ]),
  {
    agent: 'planner',
    chatId: 'api',
    session: 'plan',
    ask: () => ({
      kind: 'plan_review',
      request: {
        plan: '# Split the import into batches\n\n1. Read 500 rows.\n2. Write them in one transaction.',
        toolInput: {},
      },
    }),
    answer: (random) =>
      random.below(4) === 0
        ? { decision: 'adjust', feedback: 'Batches of 100, please; the table is busy in the morning.' }
        : { decision: random.pick(['edit', 'clean_edit', 'default']) },
  },
  {
    agent: 'release-bot',
    chatId: 'releases',
    session: 'release',
    ask: () => ({
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
 * Fills an empty store. Returns the ids of the pending requests by name, one answered request, and a session.
 * @param {string} store
 * @returns {Promise<{ ids: Record<string, string>, answered: string, session: string }>}
 */
export async function writeLifelikeData(store) {
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
      answered = (await tell(beckon, random, moveTo, day)) ?? answered;
    }
  }
  /** @type {Record<string, string>} */
  const ids = {};
  for (const { name, minutesAgo, ask } of PENDING) {
    await moveTo(now - minutesAgo * 60_000);
    ids[name] = (await beckon.ask(ask)).id;
  }
  await beckon.close();
  return { ids, answered, session: 'checkout-currency' };
}

/**
 * One interaction from start to end. Returns its id if it is an approval that somebody answered.
 * @param {LocalBeckon} beckon
 * @param {Random} random
 * @param {(to: number) => Promise<void>} moveTo
 * @param {number} day
 */
async function tell(beckon, random, moveTo, day) {
  const story = random.pick([...STORIES, ...STORIES.slice(0, 3), ...STORIES.slice(0, 2)]);
  const { id, createdAt } = await beckon.ask({
    ...story.ask(),
    chatId: story.chatId,
    sessionId: `${story.session}-${day + 1}`,
    timeout: '20m',
    metadata: { agent: story.agent },
  });
  const asked = Date.parse(createdAt);
  const fate = random.below(100);
  if (fate < 7) {
    await moveTo(asked + 21 * 60_000);
    return null;
  }
  // Most take a minute, a few take much longer.
  const seconds = Math.exp(2.2 + (random.below(1000) + random.below(1000) + random.below(1000)) / 700);
  await moveTo(asked + Math.min(seconds, 1150) * 1000);
  if (fate < 12) {
    await beckon.cancel({ id }, 'The session was closed');
    return null;
  }
  if (fate < 15) {
    await beckon.supersede(id, 'Answered in the terminal');
    return null;
  }
  const by = { who: random.pick(['ada', 'ada', 'sam']), via: random.pick(['inbox', 'inbox', 'telegram', 'terminal']) };
  await beckon.answer(id, story.answer(random), by);
  return story.ask().kind === 'approval' ? id : null;
}

/**
 * @param {string} agent
 * @param {string} chatId
 * @param {string} session
 * @param {readonly string[]} commands
 * @returns {Story}
 */
function approval(agent, chatId, session, commands) {
  let index = 0;
  return {
    agent,
    chatId,
    session,
    ask: () => ({
      kind: 'approval',
      request: { tool: 'Bash', input: { command: commands[(index += 1) % commands.length] ?? '' } },
    }),
    answer: (random) =>
      random.below(8) === 0
        ? { decision: 'deny', message: 'Run the tests first.' }
        : { decision: 'allow', ...(random.below(5) === 0 && { remember: true }) },
  };
}

/**
 * @param {string} agent
 * @param {string} chatId
 * @param {string} session
 * @param {readonly (readonly [question: string, ...options: string[]])[]} questions
 * @returns {Story}
 */
function question(agent, chatId, session, questions) {
  let index = 0;
  const current = () => questions[index % questions.length] ?? ['?'];
  return {
    agent,
    chatId,
    session,
    ask: () => {
      index += 1;
      const [text, ...options] = current();
      return { kind: 'question', request: { question: text, options: options.map((label) => ({ label })) } };
    },
    answer: (random) => {
      const [, ...options] = current();
      const selected = random.pick(options);
      return { text: selected, selected: [selected] };
    },
  };
}
