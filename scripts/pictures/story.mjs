// What the agents of the pictures do: four sessions of Claude Code, each with a transcript, and the hooks that they
// send through the real hook command.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EDIT, writeProjects } from './projects.mjs';

/** @typedef {import('../../tests/harness/cli.ts').CliBench} CliBench */
/** @typedef {{ tool: string, input: Record<string, unknown>, result?: string, isError?: true }} Call */
/**
 * @typedef {{ id: string, project: import('./projects.mjs').ProjectName, prompt: string, before: readonly Call[],
 * message: string, asks: readonly Call[] }} Session
 */

const PLAN_FILE = '/home/ada/.claude/plans/quiet-river.md';

const PLAN = `# Rate limits for the public API

Two customers sent 40 requests a second last week, and everybody else waited. Each key gets a budget of its own.

## Steps

1. Count requests per key in Redis, in windows of one minute.
2. Answer \`429\` with \`Retry-After\` once the budget is used.
3. Turn it on for all keys on Monday.

| plan | requests a minute | burst |
|---|---:|---:|
| Free | 60 | 10 |
| Team | 600 | 50 |

## What can go wrong

- Redis is down: requests pass, and an alert is raised.
`;

/** The same plan after somebody sent it back. */
const SECOND_PLAN = PLAN.replace(
  '3. Turn it on for all keys on Monday.',
  '3. Log what *would* have been refused for two days, **without** refusing it.\n4. Turn it on for new keys, then for all.',
).replace(
  '- Redis is down: requests pass, and an alert is raised.',
  '- Redis is down: requests pass, and an alert is raised.\n- Clocks differ between servers: windows are counted by Redis, not by us.',
);

const QUESTIONS = [
  {
    header: 'Rates',
    question: 'Where should the exchange rates come from?',
    multiSelect: false,
    options: [
      {
        label: 'European Central Bank',
        description: 'Free, once a day, no key. Enough for prices that change daily.',
        preview: 'rates = fetchEcbRates()\n\n- once a day, kept in Redis\n- no key, no contract\n- 30 currencies',
      },
      { label: 'Payment provider', description: 'The rate that is charged in the end. One call for every cart.' },
      { label: 'Our own table', description: 'Full control, and somebody has to look after it.' },
    ],
  },
  {
    header: 'Rounding',
    question: 'When do we round?',
    multiSelect: false,
    options: [
      { label: 'Per item', description: 'What is on the receipt adds up.' },
      { label: 'Once, at the end', description: 'Closer to the exact sum.' },
    ],
  },
  {
    header: 'Old orders',
    question: 'Should old orders be converted too?',
    multiSelect: false,
    options: [{ label: 'No, leave them' }, { label: 'Yes, with today’s rate' }],
  },
  {
    header: 'Cache',
    question: 'How long may a rate be cached?',
    multiSelect: false,
    options: [{ label: 'An hour' }, { label: 'A day' }, { label: 'Not at all' }],
  },
];

const PAGES = [
  'refunds',
  'returns',
  'shipping',
  'invoices',
  'vouchers',
  'accounts',
  'exports',
  'webhooks',
  'keys',
  'roles',
  'audit',
  'limits',
];

/** @type {readonly Session[]} */
const SESSIONS = [
  {
    id: '0b8c4a52-7f3e-4d7d-9a61-2c5e8f1b0a11',
    project: 'webshop',
    prompt: 'Convert the cart to the customer’s currency',
    before: [
      { tool: 'Bash', input: { command: 'npm test', description: 'Run the tests' }, result: 'Tests  48 passed (48)' },
      { tool: 'Read', input: { file_path: 'src/cart/total.ts' }, result: 'export async function total…' },
    ],
    message:
      'The total is always in euros, whatever the cart says. I will convert each item with the rate of the day and round it once, so that the receipt adds up.',
    asks: [
      { tool: 'Edit', input: { file_path: 'src/cart/total.ts', ...EDIT } },
      { tool: 'AskUserQuestion', input: { questions: QUESTIONS } },
      {
        tool: 'Bash',
        input: { command: 'git push origin feature/currency', description: 'Push the branch for a preview' },
      },
      { tool: 'Bash', input: { command: 'npm test -- --run src/cart', description: 'Run the tests of the cart' } },
      {
        tool: 'Bash',
        input: { command: 'git push --force origin HEAD:main', description: 'Push to production' },
      },
    ],
  },
  {
    id: '5d1f0c7e-23b9-4b62-8f0d-6a9b1c2d3e22',
    project: 'api',
    prompt: 'Two customers slow everybody down. Plan rate limits for the public API.',
    before: [
      { tool: 'Grep', input: { pattern: 'rateLimit' }, result: 'No files found' },
      { tool: 'Bash', input: { command: 'redis-cli ping', description: 'Is Redis there?' }, result: 'PONG' },
    ],
    message: 'Nothing limits requests today. Redis is there already, so I plan a counter for each key.',
    asks: [
      { tool: 'ExitPlanMode', input: { plan: SECOND_PLAN, planFilePath: PLAN_FILE } },
      {
        tool: 'mcp__github__create_issue',
        input: {
          owner: 'acme',
          repo: 'api',
          title: 'Alert when Redis is down',
          body: 'Requests pass without limits while Redis is down. Somebody should know.',
          labels: ['reliability', 'limits'],
        },
      },
      ...['limits', 'keys', 'routes', 'store', 'alerts'].map((name) => ({
        tool: 'Bash',
        input: { command: `npm test -- --run ${name}`, description: `Run the tests of ${name}` },
      })),
    ],
  },
  {
    id: '9e7a3b14-5c6d-4e8f-b1a2-3f4d5e6f7a33',
    project: 'handbook',
    prompt: 'Check the links of every page and fix the broken ones',
    before: [
      {
        tool: 'Bash',
        input: { command: 'npx linkcheck docs', description: 'Check all links' },
        result: '12 pages have broken links',
        isError: true,
      },
    ],
    message: 'Twelve pages have broken links. I check them one by one before I change anything.',
    asks: PAGES.map((page) => ({
      tool: 'Bash',
      input: { command: `npx linkcheck docs/${page}.md`, description: `Check the links of ${page}.md` },
    })),
  },
  {
    id: '1c2d3e4f-8a9b-4c0d-9e1f-7b6a5c4d3e44',
    project: 'infra',
    prompt: 'The nightly backup fills the disk. Keep seven days, and tell us when it fails.',
    before: [
      { tool: 'Bash', input: { command: 'df -h /backup', description: 'How full is it?' }, result: '/dev/sdb1 97%' },
    ],
    message:
      'The script never deletes anything. I will compress the dump, keep seven days, and send a mail on failure.',
    asks: [
      {
        tool: 'Write',
        input: {
          file_path: 'backup.sh',
          content:
            '#!/bin/sh\nset -eu\npg_dump shop | gzip > "shop-$(date +%F).sql.gz"\nfind . -name "shop-*.sql.gz" -mtime +7 -delete\n',
        },
      },
      {
        tool: 'Write',
        input: { file_path: 'alert.sh', content: '#!/bin/sh\nmail -s "Backup failed" ops@example.com\n' },
      },
      { tool: 'WebFetch', input: { url: 'https://www.postgresql.org/docs/current/app-pgdump.html', prompt: 'Flags' } },
      ...['shop', 'billing', 'search', 'audit', 'mail'].map((name) => ({
        tool: 'Bash',
        input: { command: `pg_dump --schema-only ${name}`, description: `Look at the tables of ${name}` },
      })),
    ],
  },
];

/** The session with the questions and the edit. */
export const SESSION = /** @type {Session} */ (SESSIONS[0]).id;
/** The session with the plan. */
const PLAN_SESSION = /** @type {Session} */ (SESSIONS[1]).id;

/**
 * Lets every session send its hooks: first what it reports, then what it asks. Resolves when Beckon has all requests.
 * The commands go on waiting for their answers; the bench ends them. Returns what further hooks need.
 * @param {CliBench} bench
 * @param {{ url: string, only?: readonly string[] }} options
 */
export async function tellStory(bench, { url, only }) {
  const folder = join(bench.folder, 'work');
  writeProjects(folder);
  const agent = await createToken(bench, 'ada-laptop', 'agent');
  const person = await createToken(bench, 'sam', 'person');
  const told = only === undefined ? SESSIONS : SESSIONS.filter(({ project }) => only.includes(project));
  const world = { bench, url, folder, agent, person };
  for (const session of told) await tellSession(world, session);
  return world;
}

/** @typedef {{ bench: CliBench, url: string, folder: string, agent: string, person: string }} World */

/**
 * Sends one hook of a session, and returns the command, which waits for the answer if the hook asks for one.
 * @param {World} world
 * @param {object} hook
 * @param {string} cwd
 * @param {readonly string[]} [how] the agent, and options of its hook
 */
export function sendHook({ bench, agent }, hook, cwd, how = ['claude-code']) {
  const run = bench.start(['hook', ...how, '--timeout', '12h'], { cwd, env: { BECKON_TOKEN: agent } });
  run.child.stdin?.end(JSON.stringify(hook));
  return run;
}

/**
 * Sends a hook that asks, and resolves with the id of the request when Beckon has it.
 * @param {World} world
 * @param {object} hook
 * @param {string} cwd
 * @param {readonly string[]} [how]
 */
export async function sendAsk(world, hook, cwd, how) {
  const before = await listPending(world);
  const { exit, stderr } = sendHook(world, hook, cwd, how);
  let hasEnded = false;
  void exit.then(() => {
    hasEnded = true;
  });
  for (;;) {
    const added = (await listPending(world)).find((id) => !before.includes(id));
    if (added !== undefined) return added;
    if (hasEnded) throw new Error(`The hook asked nothing: ${JSON.stringify(hook)} ${stderr()}`);
    await sleep(20);
  }
}

/**
 * @param {CliBench} bench
 * @param {string} name
 * @param {string} role
 */
export async function createToken(bench, name, role) {
  const { stdout } = await bench.run(['token', 'create', name, '--role', role, '--json']);
  return /** @type {{ token: string }} */ (JSON.parse(stdout)).token;
}

/**
 * The fields that every hook of a session has.
 * @param {string} id
 * @param {string} cwd
 * @param {string} transcript
 */
export function toCommon(id, cwd, transcript) {
  return { session_id: id, transcript_path: transcript, cwd, permission_mode: 'default' };
}

/**
 * @param {World} world
 * @param {Session} session
 */
async function tellSession(world, session) {
  const cwd = join(world.folder, session.project);
  const transcript = join(world.folder, `${session.id}.jsonl`);
  writeFileSync(transcript, toTranscript(session));
  const common = toCommon(session.id, cwd, transcript);
  const reports = [
    { ...common, hook_event_name: 'SessionStart', source: 'startup' },
    { ...common, hook_event_name: 'UserPromptSubmit', prompt: session.prompt },
    ...session.before.map((call, index) => toPostToolUse(common, call, index)),
  ];
  for (const hook of reports) await sendHook(world, hook, cwd).exit;
  if (session.id === PLAN_SESSION) await sendBackPlan(world, common, cwd);
  for (const { tool, input } of session.asks) await ask(world, common, cwd, tool, toAbsolute(input, cwd));
}

/**
 * @param {World} world
 * @param {ReturnType<typeof toCommon>} common
 * @param {string} cwd
 * @param {string} tool
 * @param {Record<string, unknown>} input
 */
function ask(world, common, cwd, tool, input) {
  const hook = { ...common, hook_event_name: 'PermissionRequest', tool_name: tool, tool_input: input };
  return sendAsk(world, hook, cwd);
}

/**
 * The first version of the plan, which somebody sends back with comments.
 * @param {World} world
 * @param {ReturnType<typeof toCommon>} common
 * @param {string} cwd
 */
async function sendBackPlan(world, common, cwd) {
  const id = await ask(world, common, cwd, 'ExitPlanMode', { plan: PLAN, planFilePath: PLAN_FILE });
  const comments = [
    { quote: 'Turn it on for all keys on Monday.', line: 9, comment: 'Too fast. First see whom it would hit.' },
    { quote: 'Redis is down', line: 18, comment: 'And if the clocks of two servers differ?' },
  ];
  await call(world, `/v1/interactions/${id}/answer`, { answer: { decision: 'adjust', comments } });
}

/**
 * @param {ReturnType<typeof toCommon>} common
 * @param {Call} call
 * @param {number} index
 */
function toPostToolUse(common, { tool, input, result, isError }, index) {
  const ran = { ...common, tool_name: tool, tool_input: input, tool_use_id: `toolu_${index}`, duration_ms: 1200 };
  return isError
    ? { ...ran, hook_event_name: 'PostToolUseFailure', error: result }
    : { ...ran, hook_event_name: 'PostToolUse', tool_response: { stdout: result } };
}

/**
 * A transcript as Claude Code writes it, as far as Beckon reads it.
 * @param {Session} session
 */
function toTranscript({ prompt, before, message }) {
  const at = (/** @type {number} */ seconds) => new Date(Date.now() - 600_000 + seconds * 1000).toISOString();
  const lines = [{ type: 'user', timestamp: at(0), message: { role: 'user', content: prompt } }];
  /** @type {object[]} */
  const all = lines;
  for (const [index, { tool, input, result, isError }] of before.entries()) {
    const id = `toolu_${index}`;
    all.push({
      type: 'assistant',
      timestamp: at(10 + index * 20),
      message: { role: 'assistant', content: [{ type: 'tool_use', id, name: tool, input }] },
    });
    all.push({
      type: 'user',
      timestamp: at(22 + index * 20),
      toolUseResult: { durationMs: 12_000 },
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: result, is_error: isError === true }],
      },
    });
  }
  all.push({
    type: 'assistant',
    timestamp: at(120),
    message: { role: 'assistant', content: [{ type: 'text', text: message }] },
  });
  return all.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/**
 * @param {Record<string, unknown>} input
 * @param {string} cwd
 */
function toAbsolute(input, cwd) {
  return typeof input['file_path'] === 'string' ? { ...input, file_path: join(cwd, input['file_path']) } : input;
}

/** @param {World} world */
async function listPending(world) {
  const { items } = await call(world, '/v1/interactions?status=pending&limit=200');
  return /** @type {{ id: string }[]} */ (items).map(({ id }) => id);
}

/**
 * Calls the API as a person.
 * @param {World} world
 * @param {string} path
 * @param {object} [body]
 */
async function call({ url, person }, path, body) {
  const reply = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${person}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return /** @type {{ items: unknown }} */ (await reply.json());
}
