import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const execute = promisify(execFile);
let folder: string;
let app: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beckon-pack-'));
  app = join(folder, 'app');
  await mkdir(app);
  const pack = ['pack', '--json', '--ignore-scripts', '--workspace=beckon', `--pack-destination=${folder}`];
  await npm(root, pack);
  const { version } = JSON.parse(await readFile(join(root, 'packages/beckon/package.json'), 'utf8')) as {
    version: string;
  };
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await npm(app, ['install', ...flags, join(folder, `beckon-${version}.tgz`)]);
}, 300_000);
afterAll(() => rm(folder, { recursive: true }));

test('the packed command runs in an empty folder with npx: it starts, asks, takes an answer and stops', async () => {
  const { stdout: version } = await execute('npx', ['--no', 'beckon', '--', '--version'], options());
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
  const { url } = JSON.parse(await beckon('up', '--port', '0', '--detach', '--json')) as { url: string };
  try {
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const asked = beckon('ask', 'Deploy?', '--option', 'yes', '--timeout', '2m');
    await beckon('answer', await findAsked(), 'yes');
    expect(await asked).toBe('yes\n');
  } finally {
    await beckon('down');
  }
});

// It is built before it is packed, as "npm test" and "npm run build" do it.
test.runIf(existsSync(join(root, 'apps/inbox/vite.config.ts')))('the packed command serves the page', async () => {
  const { url } = JSON.parse(await beckon('up', '--port', '0', '--detach', '--json')) as { url: string };
  try {
    const page = await fetch(url);
    expect(await page.text()).toMatch(/<!doctype html>/i);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  } finally {
    await beckon('down');
  }
});

test('the package brings a README that says which Node it needs', async () => {
  const installed = join(app, 'node_modules/beckon');
  const { engines } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
    engines: { node: string };
  };
  const readme = await readFile(join(installed, 'README.md'), 'utf8');
  expect(readme).toContain(engines.node);
  expect(readme).toContain('Node 22.16');
});

test('the packed library can be imported, and beckon/testing answers by a script without vitest', async () => {
  const script = `
    import { openBeckon } from 'beckon';
    import { FakeClock, startPerson } from 'beckon/testing';
    const clock = new FakeClock();
    const beckon = await openBeckon({ store: 'sqlite:./script.db', clock });
    const person = startPerson(beckon, [{ when: { kind: 'approval' }, answer: { decision: 'allow' } }]);
    const approval = await beckon.ask({ kind: 'approval', request: { tool: 'Bash', input: {} } });
    console.log((await beckon.wait(approval.id)).answer.decision);
    await person.stop();
    const question = await beckon.ask({ kind: 'question', request: { question: 'Why?' }, timeout: '5m' });
    clock.advance(300_000);
    console.log((await beckon.wait(question.id)).status);
    await beckon.close();
    console.log(await import('vitest').catch((error) => error.code));`;
  const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', script], options());
  expect(stdout).toBe('allow\nexpired\nERR_MODULE_NOT_FOUND\n');
});

test('beckon/testing/suites passes a connector that keeps the contract and fails one that does not', async () => {
  await copyFile(new URL('./outside/toy-connector.ts', import.meta.url), join(app, 'toy-connector.test.ts'));
  await symlink(join(root, 'node_modules/vitest'), join(app, 'node_modules/vitest'));
  const run = [join(app, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=json', '--outputFile=report.json'];
  // It ends with 1, because of the second connector.
  await execute(process.execPath, run, options()).catch(() => undefined);
  const report = JSON.parse(await readFile(join(app, 'report.json'), 'utf8')) as {
    numPassedTests: number;
    testResults: { assertionResults: { fullName: string; status: string }[] }[];
  };
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  expect(results.filter(({ status }) => status !== 'passed').map(({ fullName }) => fullName)).toEqual([
    'the connector that allows what was denied a approval that the person decides with "deny" is answered',
  ]);
  expect(report.numPassedTests).toBeGreaterThan(40);
});

async function findAsked(): Promise<string> {
  for (;;) {
    const { items } = JSON.parse(await beckon('list', '--json')) as { items: { id: string }[] };
    if (items[0] !== undefined) return items[0].id;
  }
}

async function beckon(...args: string[]): Promise<string> {
  // What npx would run, without npm in front of every command.
  const { stdout } = await execute(join(app, 'node_modules/.bin/beckon'), args, options());
  return stdout;
}

async function npm(cwd: string, args: string[]): Promise<void> {
  await execute('npm', args, { ...options(), cwd });
}

function options() {
  const env = { ...process.env, BECKON_HOME: join(folder, 'home') };
  return { cwd: app, env };
}
