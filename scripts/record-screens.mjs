// `npm run screens`: records what `beckon inbox` shows, with tmux, into docs/screens/ and docs/terminal.md. With
// --check it writes nothing, and fails where a recorded screen is not what is shown. With --list it records the first
// screen alone.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ASKS, toStable } from './screen-asks.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const main = join(root, 'packages/beckon/src/cli/main.ts');
const page = join(root, 'docs/terminal.md');
const isCheck = process.argv.includes('--check');
const isListOnly = process.argv.includes('--list');
const folder = mkdtempSync(join(tmpdir(), 'beckon-screens-'));
const socket = `beckon-screens-${process.pid}`;
/** As others read it. */
const me = `${userInfo().username}@${hostname()}`;
const COLUMNS = 80;
const ROWS = 24;
const LIMIT_MS = 45_000;

const env = {
  PATH: process.env['PATH'],
  HOME: folder,
  LANG: 'C.UTF-8',
  TERM: 'xterm-256color',
  BECKON_HOME: join(folder, 'home'),
};
/** @type {import('node:child_process').ChildProcess[]} */
const children = [];

/** @type {Record<string, string>} */
let screens = {};
try {
  screens = await record();
} finally {
  try {
    tmux('kill-server');
  } catch {
    // It has ended by itself.
  }
  for (const child of children.toReversed()) {
    const ended = new Promise((resolve) => child.once('close', resolve));
    if (child.exitCode === null && child.kill()) await ended;
  }
  rmSync(folder, { recursive: true, force: true });
}
for (const [name, text] of Object.entries(screens)) keep(join(root, 'docs/screens', `${name}.txt`), text);
keep(page, toPage(readFileSync(page, 'utf8')));

/** @returns {Promise<Record<string, string>>} */
async function record() {
  const [, url] = await start(['up', '--port', '0', '--json'], /"url":\s*"([^"]+)"/);
  const token = JSON.parse(run(['token', 'create', 'claude-code', '--role', 'agent', '--json'])).token;
  for (const ask of ASKS) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ ...ask, timeout: '1h' });
    const asked = await fetch(`${url}/v1/interactions`, { method: 'POST', headers, body });
    if (!asked.ok) throw new Error(`Beckon refused what was asked: ${await asked.text()}`);
  }
  tmux(
    '-u',
    '-f',
    '/dev/null',
    'new-session',
    '-d',
    '-x',
    `${COLUMNS}`,
    '-y',
    `${ROWS}`,
    `${process.execPath} ${main} inbox`,
  );
  const list = await see(/3 waiting/);
  if (isListOnly) return { list };
  await press('1', 'Enter');
  const question = await see(/In your own words/);
  await press('Escape');
  await see(/3 waiting/);
  await press('2', 'Enter');
  const pager = await see(/to decide/);
  await press('q');
  const planReview = await see(/Accept this plan/);
  await press('Escape');
  await see(/3 waiting/);
  await press('3', 'Enter');
  const approval = await see(/Allow this/);
  const id = JSON.parse(run(['list', '--kind', 'approval', '--json'])).items[0].id;
  run(['answer', id, '--deny', 'not on a Friday']);
  const closed = await see(/no longer needed/);
  return { list, question, 'plan-pager': pager, 'plan-review': planReview, approval, closed };
}

/**
 * Starts a command that goes on, and resolves with the match when it has printed the pattern.
 * @param {string[]} args
 * @param {RegExp} pattern
 * @returns {Promise<RegExpExecArray>}
 */
async function start(args, pattern) {
  const child = spawn(process.execPath, [main, ...args], { env, cwd: folder });
  children.push(child);
  let printed = '';
  return new Promise((resolve, reject) => {
    const look = (/** @type {Buffer} */ chunk) => {
      printed += chunk.toString();
      const found = pattern.exec(printed);
      if (found !== null) resolve(found);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.once('close', () => reject(new Error(`beckon ${args[0]} ended: ${printed}`)));
    child.once('error', reject);
  });
}

/** @param {string[]} args */
function run(args) {
  return execFileSync(process.execPath, [main, ...args], { env, cwd: folder, encoding: 'utf8' });
}

/** @param {string[]} args */
function tmux(...args) {
  return execFileSync('tmux', ['-L', socket, ...args], { env, cwd: folder, encoding: 'utf8', stdio: 'pipe' });
}

/**
 * Presses one key after another, as somebody does who looks at the screen: faster ones are not taken.
 * @param {string[]} keys
 */
async function press(...keys) {
  for (const key of keys) {
    await sleep(600);
    tmux('send-keys', key);
  }
}

/**
 * The screen, as soon as it has the pattern and stands still.
 * @param {RegExp} pattern
 */
async function see(pattern) {
  const until = Date.now() + LIMIT_MS;
  let before = '';
  for (;;) {
    const screen = toStable(tmux('capture-pane', '-p').replaceAll(me, 'dev@laptop'));
    if (pattern.test(screen) && screen === before) return screen;
    if (Date.now() > until) throw new Error(`The screen never had ${pattern}:\n${screen}`);
    before = screen;
    await sleep(100);
  }
}

/**
 * Puts each screen into the block below its mark.
 * @param {string} text
 */
function toPage(text) {
  return text.replaceAll(/<!-- screen: ([\w-]+) -->\n```text\n[^]*?```/g, (block, name) =>
    name in screens ? `<!-- screen: ${name} -->\n\`\`\`text\n${screens[name]}\`\`\`` : block,
  );
}

/**
 * @param {string} file
 * @param {string} text
 */
function keep(file, text) {
  if (!isCheck) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return;
  }
  if (readFileSync(file, 'utf8') === text) return;
  console.error(`${file} is not what is shown. Run: npm run screens`);
  process.exitCode = 1;
}
