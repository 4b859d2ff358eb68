import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLAUDE, CLIENT_FOLDER } from '../claude-code/harness/client.ts';
import { readPrograms, toPromisedOutput } from './programs.ts';

const AGENT_SDK = '@anthropic-ai/claude-agent-sdk';
const COMPILER_OPTIONS = {
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: ['node'],
  module: 'nodenext',
  moduleDetection: 'force',
  jsx: 'react-jsx',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  erasableSyntaxOnly: true,
  skipLibCheck: true,
  noEmit: true,
};

const root = fileURLToPath(new URL('../../', import.meta.url));
const execute = promisify(execFile);
const { stdout: tracked } = await execute('git', ['ls-files', '*.md'], { cwd: root });
const pages = tracked.split('\n').filter((page) => /^(README\.md|docs\/|packages\/)/.test(page));
const programs = (
  await Promise.all(pages.map(async (page) => readPrograms(page, await readFile(join(root, page), 'utf8'))))
)
  .flat()
  .filter(({ lines }) => CLAUDE !== null || !lines.some((line) => line.includes(AGENT_SDK)))
  .map((program, index) => ({ ...program, file: `${index}/${program.page}.${program.extension}` }));

let project: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'beckon-snippets-'));
  await installPackage(join(project, 'node_modules'));
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
  for (const { file, lines } of programs) {
    await mkdir(dirname(join(project, file)), { recursive: true });
    await writeFile(join(project, file), lines.join('\n'));
  }
  // Some programs use a Beckon that is running.
  env = { ...process.env, BECKON_HOME: join(project, 'home') };
  const { url, tokenFile } = JSON.parse(await beckon('up', '--port', '0', '--detach', '--json')) as Record<
    string,
    string
  >;
  env = { ...env, BECKON_URL: url, BECKON_TOKEN: (await readFile(tokenFile ?? '', 'utf8')).trim() };
}, 300_000);
afterAll(async () => {
  await beckon('down');
  await rm(project, { recursive: true });
});

test('every TypeScript block of the docs compiles against the packed package', async () => {
  const tsc = join(root, 'node_modules/.bin/tsc');
  const { stdout } = await execute(tsc, ['--pretty', 'false'], { cwd: project }).catch(
    (error: Error & { stdout: string }) => error,
  );
  // "3/docs/connect.md.ts(12,5): error …" is line 12 of docs/connect.md.
  expect(stdout.replaceAll(/^\d+\/(\S+)\.tsx?\((\d+),\d+\)/gm, '$1:$2').trim()).toBe('');
});

const runnable = programs.filter((program) => toPromisedOutput(program) !== undefined);

test('the README has a program that runs', () => {
  expect(runnable.map(({ page }) => page)).toContain('README.md');
});

test.each(runnable)('the program in $page prints what its comments say', async (program) => {
  const cwd = await mkdtemp(join(project, 'run-'));
  const { stdout } = await execute(process.execPath, [join(project, program.file)], { cwd, env });
  expect(stdout.trim()).toBe(toPromisedOutput(program));
});

async function beckon(...args: string[]): Promise<string> {
  const main = join(project, 'node_modules/beckon/dist/cli/main.js');
  const { stdout } = await execute(process.execPath, [main, ...args], { cwd: project, env });
  return stdout;
}

/** The packed package, and beside it what the repository has installed, as a user would have it. */
async function installPackage(modules: string): Promise<void> {
  await mkdir(join(modules, 'beckon'), { recursive: true });
  const pack = ['pack', '--json', '--ignore-scripts', '--workspace=beckon', `--pack-destination=${modules}`];
  const { stdout } = await execute('npm', pack, { cwd: root });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  await execute('tar', ['-xzf', join(modules, filename), '--strip-components=1', '-C', join(modules, 'beckon')]);
  const installed = new Map<string, string>();
  // What the package has for itself comes last and wins.
  for (const folder of [join(root, 'node_modules'), join(root, 'packages/beckon/node_modules')])
    for (const name of await readdir(folder)) installed.set(name, join(folder, name));
  for (const [name, folder] of installed) if (!/^(\.|beckon)/.test(name)) await symlink(folder, join(modules, name));
  if (CLAUDE === null) return;
  await mkdir(join(modules, dirname(AGENT_SDK)), { recursive: true });
  await symlink(join(CLIENT_FOLDER, 'node_modules', AGENT_SDK), join(modules, AGENT_SDK));
}
