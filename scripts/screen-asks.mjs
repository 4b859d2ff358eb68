// What the recorded screens of docs/screens/ show. tests/docs/screens.test.ts asks the same.

const plan = [
  '# Move the sessions to Postgres',
  '',
  '## Why',
  '',
  'From next week, two servers share the sessions. A file on one machine cannot do that.',
  '',
  '## Steps',
  '',
  '1. Add the table `sessions`, with an index on `expires_at`.',
  '2. Write to both places for a day, and compare.',
  '3. Read from Postgres. Keep the file for another day.',
  '4. Remove the file and the code that reads it.',
  '',
  '## What can go wrong',
  '',
  '- Sessions written during step 3: the old servers still read the file.',
  '- Too few connections: 20 for two servers. Measure before step 2.',
].join('\n');

/** What is asked, in the order of the list. */
export const ASKS = [
  {
    kind: 'question',
    chatId: 'web',
    request: {
      question: 'Which database should the tests use?',
      options: [{ label: 'SQLite' }, { label: 'Postgres' }],
    },
  },
  { kind: 'plan_review', chatId: 'web', request: { plan } },
  {
    kind: 'approval',
    chatId: 'ops',
    request: {
      tool: 'Bash',
      description: 'Removes the old build and builds again.',
      input: { command: 'rm -rf build\nnpm run build', timeout: 120_000 },
    },
  },
];

/**
 * Replaces what differs between runs.
 * @param {string} screen
 */
export function toStable(screen) {
  const lines = screen
    .replaceAll(/\d+[sm] old/g, '12s old')
    .replaceAll(/\d+m left/g, '59m left')
    .split('\n')
    .map((line) => line.trimEnd());
  return `${lines.join('\n').trimEnd()}\n`;
}
