// `npm run screens:claude`: records Claude Code and `beckon inbox` side by side into docs/claude-code.md. The real
// client runs as in tests/claude-code: with its own HOME and network, and a scripted model.
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Lab } from '../tests/claude-code/harness/lab.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const main = join(root, 'packages/beckon/src/cli/main.ts');
const page = join(root, 'docs/claude-code.md');
const question = {
  question: 'Which database shall the tests use?',
  header: 'Database',
  options: [
    { label: 'SQLite', description: 'a file for each test' },
    { label: 'Postgres', description: 'as in production' },
  ],
  multiSelect: false,
};

const lab = await Lab.open();
/** @type {Record<string, string>} */
const screens = {};
/** @type {ReturnType<Lab['terminal']>} */
let inbox;
try {
  lab.api.script('screens', [
    [{ tool: 'AskUserQuestion', input: { questions: [question] } }],
    [{ text: 'Then SQLite it is.' }],
  ]);
  const project = await lab.project();
  const claude = lab.tui(project, 'screens', '--permission-mode', 'manual');
  await claude.see(/Enter to select/);
  inbox = lab.terminal(project, [process.execPath, main, 'inbox']);
  await inbox.see(/1 waiting/);
  screens['claude-dialog'] = claude.screen();
  await press('Enter');
  await inbox.see(/In your own words/);
  screens['claude-inbox'] = inbox.screen();
  await press('1', 'Enter');
  screens['claude-answered'] = await claude.see(/Then SQLite it is/);
} finally {
  await lab.close();
}
writeFileSync(page, toPage(readFileSync(page, 'utf8')));

/**
 * Presses one key after another, as somebody does who looks at the screen: faster ones are not taken.
 * @param {string[]} keys
 */
async function press(...keys) {
  for (const key of keys) {
    await sleep(800);
    inbox.press(key);
  }
}

/**
 * Replaces what differs between runs and machines, and leaves out empty lines.
 * @param {string} screen
 */
function toStable(screen) {
  const lines = screen
    .replaceAll(lab.folder, '/home/dev')
    .replaceAll(`${userInfo().username}@${hostname()}`, 'dev@laptop')
    .replaceAll('SCENARIO:screens', 'set up the tests')
    // The logo above moves.
    .replace(/^[^]*(?=❯ set up the tests)/, '')
    .replaceAll(/^project-\d+ · (.*) · .*$/gm, 'webshop · $1 · laptop')
    .replaceAll(/, \d+s ago/g, ', 12s ago')
    // What the client says while it is busy.
    .replaceAll(/^\S .*(?:Stop hook|done \d).*$/gm, '')
    .replaceAll(/^ *tmux detected.*$/gm, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line, index, all) => line !== '' || all[index - 1] !== '');
  return `${lines.join('\n').trim()}\n`;
}

/** @param {string} text */
function toPage(text) {
  return text.replaceAll(/<!-- screen: ([\w-]+) -->\n```text\n[^]*?```/g, (block, name) =>
    name in screens ? `<!-- screen: ${name} -->\n\`\`\`text\n${toStable(screens[name] ?? '')}\`\`\`` : block,
  );
}
