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
    const asks = [ask].flat().map((one) => ({ ...one, timeout: '1h' }));
    const body = JSON.stringify(Array.isArray(ask) ? { asks } : asks[0]);
    const where = Array.isArray(ask) ? 'groups' : 'interactions';
    const asked = await fetch(`${url}/v1/${where}`, { method: 'POST', headers, body });
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
  const list = await see(/6 waiting/);
  if (isListOnly) return { list };
  await press('1', 'Enter');
  const approval = await see(/Before/);
  await press('y');
  const dangerous = await see(/allow anyway/);
  await press('x');
  await see(/y allow …/);
  await press('j');
  const diff = await see(/edited/);
  await press('j');
  await see(/\[Rates\]/);
  await press('1');
  const questions = await see(/Rates ✓/);
  await press('2', '1');
  const review = await see(/send all/);
  await press('j');
  const planReview = await see(/Send back/);
  await press('j');
  await see(/--run users/);
  await press('m');
  const remember = await see(/and make it/);
  await press('Escape');
  await see(/y allow ·/);
  await press('a');
  await see(/y allow 2/);
  await press('y');
  const together = await see(/Allow these 2/);
  await press('Escape');
  await see(/6 waiting/);
  await press('Escape', '1', 'Enter');
  await see(/Before/);
  const { items } = JSON.parse(run(['list', '--kind', 'approval', '--json']));
  run(['answer', items.at(-1).id, '--deny', 'not on a Friday']);
  const closed = await see(/no longer needed/);
  return {
    list,
    approval,
    dangerous,
    diff,
    questions,
    review,
    'plan-review': planReview,
    remember,
    together,
    closed,
  };
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
