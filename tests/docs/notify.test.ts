import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(`${root}docs/notify.md`, 'utf8');

/** What the issue of being told promises for bad days, by a word of each line. */
const PROMISED = ['404, 410', 'Slack', 'mail server hangs', 'DNS', '10,000', 'clock', 'killed between'];

test('each bad day of docs/notify.md has a test of that name', () => {
  const [, section = ''] = page.split('\n## Bad days\n');
  const rows = [...section.matchAll(/^\| (?<day>[^|]+) \| [^|]+ \| `(?<file>[^`]+)`: (?<title>.+) \|$/gm)];
  expect(rows.length).toBe(section.split('\n').filter((line) => line.startsWith('| ')).length - 1);
  const days = rows.map(({ groups }) => groups?.['day'] ?? '');
  expect(PROMISED.filter((word) => !days.some((day) => day.includes(word)))).toEqual([]);
  const missing = rows.filter(({ groups: { file = '', title = '' } = {} }) => {
    const text = existsSync(root + file) ? readFileSync(root + file, 'utf8') : '';
    return !text.includes(`'${title}'`);
  });
  expect(missing.map(([row]) => row)).toEqual([]);
});
