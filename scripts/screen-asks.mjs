// What the recorded screens of docs/screens/ show. tests/docs/screens.test.ts asks the same.

const plan = [
  '# Move the sessions to Postgres',
  '',
  'From next week, two servers share the sessions. A file on one machine cannot do that.',
  '',
  '1. Add the table `sessions`, with an index on `expires_at`.',
  '2. Write to both places for a day, and compare.',
  '3. Read from Postgres. Keep the file for another day.',
  '4. Remove the file and the code that reads it.',
].join('\n');

const folder = '/home/ada/webshop';
const path = `${folder}/src/cart/total.ts`;
const before = [
  "import type { Cart } from './cart.ts';",
  '',
  '/** What a cart costs. */',
  'export function toTotal(cart: Cart): number {',
  '  let sum = 0;',
  '  for (const { price, count } of cart.items) sum += price * count;',
  '  return sum;',
  '}',
  '',
].join('\n');

const shop = {
  metadata: { agent: 'claude-code' },
  sessionId: 'session-1',
  context: {
    project: 'webshop',
    folder,
    branch: 'feature/currency',
    agent: 'Claude Code',
    machine: 'ada-laptop',
    title: "Convert the cart to the customer's currency",
  },
};
const message = 'All tests pass. I will push, so that the preview is built.';
const calls = [
  { tool: 'Bash', about: 'npm test', outcome: 'ok', ms: 12_000 },
  { tool: 'Edit', about: 'src/cart/total.ts', outcome: 'ok' },
];
const api = {
  sessionId: 'session-2',
  context: { project: 'api', branch: 'main', agent: 'Claude Code', machine: 'ada-laptop', title: 'Fix the tests' },
};

/**
 * @param {string} header
 * @param {string} question
 * @param {string[]} labels
 */
function toQuestion(header, question, labels) {
  return { ...shop, kind: 'question', request: { header, question, options: labels.map((label) => ({ label })) } };
}

/**
 * @param {object} context
 * @param {string} tool
 * @param {object} input
 */
function toCall(context, tool, input) {
  return { ...context, kind: 'approval', request: { tool, input } };
}

/** What is asked, in order; a list is one call with several questions. */
export const ASKS = [
  toCall({ ...shop, context: { ...shop.context, message, calls } }, 'Bash', {
    command: 'git push --force origin HEAD:main',
    description: 'Push to production',
  }),
  toCall(
    {
      ...shop,
      context: {
        ...shop.context,
        files: [{ path, sha256: 'a'.repeat(64), lines: 8, before: [{ line: 1, text: before }] }],
      },
    },
    'Edit',
    {
      file_path: path,
      old_string: '  let sum = 0;\n  for (const { price, count } of cart.items) sum += price * count;\n  return sum;',
      new_string:
        '  let sum = 0;\n  for (const { price, count } of cart.items) sum += convert(price, cart.currency) * count;\n  return round(sum, cart.currency);',
    },
  ),
  [
    toQuestion('Rates', 'Where do the exchange rates come from?', ['European Central Bank', 'Our bank']),
    toQuestion('Rounding', 'How are prices rounded?', ['To the cent', 'To what each country expects']),
    toQuestion('Refresh', 'How often are rates read?', ['Every hour', 'Every day']),
  ],
  { ...shop, kind: 'plan_review', request: { plan } },
  toCall(api, 'Bash', { command: 'npm test -- --run users' }),
  toCall(api, 'Bash', { command: 'npm test -- --run orders' }),
];

/**
 * Replaces what differs between runs: the ages at the ends of lines.
 * @param {string} screen
 */
export function toStable(screen) {
  const lines = screen.split('\n').map((line) =>
    line
      .trimEnd()
      .replace(/ {2}[ \d]\d[sm]$/, '  12s')
      .replace(/, \d+[sm] ago$/, ', 12s ago'),
  );
  return `${lines.join('\n').trimEnd()}\n`;
}
