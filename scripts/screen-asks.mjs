// What the recorded screens of docs/screens/ show. tests/docs/screens.test.ts asks the same.

const plan = [
  '# Move the sessions to Postgres',
  '',
  '## Why',
  '',
  'Two servers share the sessions from next week on. A file on one machine cannot do that.',
  '',
  '## Steps',
  '',
  '1. Add the table `sessions`, with an index on `expires_at`.',
  '2. Write to both places for a day, and compare what is read.',
  '3. Read from Postgres. Keep the file for another day.',
  '4. Remove the file and the code that reads it.',
  '',
  '## What can go wrong',
  '',
  '- A session that is written while step 3 is deployed: the old servers read the file.',
  '- The pool is too small: 20 connections for two servers, measured before step 2.',
].join('\n');

/** What is asked, in the order of the list. */
export const ASKS = [
  {
    kind: 'question',
    chatId: 'web',
    request: {
      question: 'Which database shall the tests use?',
      options: [{ label: 'SQLite' }, { label: 'Postgres' }],
    },
  },
  { kind: 'plan_review', chatId: 'web', request: { plan } },
  {
    kind: 'approval',
    chatId: 'ops',
    request: {
      tool: 'Bash',
      description: 'Removes the last build and builds it again.',
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
