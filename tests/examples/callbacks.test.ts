import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const examples = fileURLToPath(new URL('../../examples/', import.meta.url));
const ofDocument = readdirSync(new URL('../../examples/callbacks/', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
  .map(({ name }) => `callbacks/${name}`);

test.each([...ofDocument, 'shared-server'])(
  'the example %s finds its result right, and ends by itself',
  async (name) => {
    const env = { ...process.env, BECKON_EXAMPLE_PORT: String(await findPort()) };
    const { stdout } = await promisify(execFile)(process.execPath, [`${examples}${name}/index.ts`], { env });
    expect(stdout).not.toBe('');
  },
);

test.each([
  ['shared-server', 'BECKON_EXAMPLE_PORT'],
  ['callbacks/usage', 'BECKON_EXAMPLE_PORT'],
  ['chat-dashboard', 'PORT'],
  ['own-inbox', 'PORT'],
])('where its port is taken, the example %s says in one line that %s is another one', async (name, variable) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const env = { ...process.env, [variable]: String(port) };
  const ended = promisify(execFile)(process.execPath, [`${examples}${name}/index.ts`], { env });
  await expect(ended).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(new RegExp(`^Port ${port} .*\\b${variable}=\\d+.*\\n$`)),
  });
  server.close();
});

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
