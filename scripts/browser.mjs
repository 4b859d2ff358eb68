// Finds Chromium for the page's tests, or installs it if this machine allows that. Prints what it does.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** macOS does not put browsers on the PATH. */
const PLACES = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The path of Chromium, or `undefined`. `BECKON_CHROMIUM` names another one. */
export function findChromium() {
  return [process.env['BECKON_CHROMIUM'], ...listOnPath(NAMES), ...PLACES].find((path) => path && existsSync(path));
}

/**
 * The path of the same Chromium without its windows, which takes half the processor time, or else of Chromium. It has
 * no notifications.
 */
export function findLightChromium() {
  if (process.env['BECKON_CHROMIUM']) return findChromium();
  return listOnPath(['chromium-headless-shell']).find((path) => existsSync(path)) ?? findChromium();
}

/** @param {string[]} names */
function listOnPath(names) {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

if (import.meta.main) process.exitCode = bringChromium();

/** @returns {number} the exit code */
function bringChromium() {
  if (findChromium() === undefined) install();
  const chromium = findChromium();
  if (chromium !== undefined) {
    console.log(`The tests of the inbox page run in ${chromium} and ${findLightChromium()}.`);
    return 0;
  }
  console.error(
    'There is no Chromium for the tests of the inbox page, and it could not be installed. Install Chromium or Chrome, ' +
      'or name its path in BECKON_CHROMIUM, and run the tests again.',
  );
  if (process.env['CI']) return 1;
  console.error('Until then these tests are counted as skipped.');
  return 0;
}

function install() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return;
  console.log('Installing Chromium with apt-get (about a minute) ...');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  /** @type {import('node:child_process').SpawnSyncOptions} */
  const options = { env, stdio: ['ignore', 'ignore', 'inherit'] };
  // apt-get finds nothing without its package lists, and an old list names packages that are gone.
  spawnSync('apt-get', ['update', '-qq'], options);
  spawnSync('apt-get', ['install', '-y', '-qq', 'chromium'], options);
  // Separate: not every Debian has it, and the tests run without it.
  spawnSync('apt-get', ['install', '-y', '-qq', 'chromium-headless-shell'], options);
}
