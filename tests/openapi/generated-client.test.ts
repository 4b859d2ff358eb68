import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../packages/beckon/src/testing/suites/until.ts';
import { CliBench, type TestDaemon } from '../harness/cli.ts';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const page = await readFile(join(root, 'docs/http-api.md'), 'utf8');

/** As strict as people usually are. The generator's own code is not made for `exactOptionalPropertyTypes`. */
const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: 'es2024',
    module: 'nodenext',
    allowImportingTsExtensions: true,
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: ['node'],
  },
};

let bench: CliBench;
let daemon: TestDaemon;
let folder: string;

beforeAll(async () => {
  bench = await CliBench.open();
  daemon = await bench.up();
  folder = join(bench.folder, 'client');
  await mkdir(folder);
  // The runtime of the generator, and the types of Node.
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  for (const [, name = '', code = ''] of page.matchAll(/<!-- program: (\S+) -->\n```typescript\n(.*?)```/gs)) {
    await writeFile(join(folder, name), code);
  }
});
afterAll(() => bench.close());

test('a client that a public generator makes from the running daemon has strict types, asks, waits and answers', async () => {
  const generator = join(root, 'node_modules/.bin/oazapfts');
  await execute(generator, [`${daemon.url}/openapi.json`, 'beckon-client.ts'], { cwd: folder });
  const compiled = await execute(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: folder });
  expect(compiled.stdout).toBe('');

  const created = await bench.run(['token', 'create', 'builder', '--role', 'agent']);
  const agent = bench.startProgram(['ask.ts'], { cwd: folder, env: toEnv(created.stdout) });
  await until(async () => expect((await bench.run(['list', '--json'])).stdout).toContain('Deploy?'));
  const token = await readFile(join(bench.home, 'token'), 'utf8');
  const person = bench.startProgram(['answer.ts'], { cwd: folder, env: toEnv(token) });
  expect(await bench.finish(person)).toEqual({ code: 0, stdout: 'accepted answered\nanswer_lost\n', stderr: '' });
  expect(await bench.finish(agent)).toEqual({ code: 0, stdout: 'answered yes\n', stderr: '' });
});

function toEnv(token: string): Record<string, string> {
  return { BECKON_URL: daemon.url, BECKON_TOKEN: token.trim() };
}
