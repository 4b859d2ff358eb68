/** @typedef {{ passed: boolean, note?: string } | { cannot: string }} Result */
/** @typedef {{ name: string, title: string, version: string, cases: Record<string, Result> }} ClientResults */

/** The cases of the suite in tests/clients, in the order of the table. */
export const CASES = /** @type {const} */ ([
  'allow',
  'deny',
  'deny with text',
  'question',
  'plan',
  'form',
  'remember',
  'outside first',
  'terminal first',
  'both at once',
  'client killed',
  'Beckon killed',
  'Beckon down',
  'hostile payloads',
  'two sessions',
  'wait of 11 minutes',
]);

/**
 * A table in Markdown with a row for each case and a column for each client. Reasons and notes are below it.
 * @param {ClientResults[]} clients
 */
export function toTable(clients) {
  const sorted = clients.toSorted((a, b) => a.title.localeCompare(b.title, 'en'));
  /** @type {string[]} */
  const notes = [];
  const rows = CASES.map((name) => [name, ...sorted.map(({ cases }) => toCell(cases[name], notes))]);
  const head = ['', ...sorted.map(({ title, version }) => `${title} ${version}`)];
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  const below = notes.map((note, index) => `${index + 1}. ${note}`);
  return [...lines, ...(below.length > 0 ? [''] : []), ...below].join('\n');
}

/**
 * @param {Result | undefined} result
 * @param {string[]} notes gets what the cell refers to
 */
function toCell(result, notes) {
  if (result === undefined) return 'not run';
  if ('cannot' in result) return `– [${toNumber(result.cannot, notes)}]`;
  const word = result.passed ? 'yes' : '**fails**';
  return result.note === undefined ? word : `${word} [${toNumber(result.note, notes)}]`;
}

/**
 * The number of a note; the same words have the same number.
 * @param {string} note
 * @param {string[]} notes
 */
function toNumber(note, notes) {
  if (!notes.includes(note)) notes.push(note);
  return notes.indexOf(note) + 1;
}
