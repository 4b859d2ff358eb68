import { existsSync } from 'node:fs';
import { copyFile, link, mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { openBeckon } from '../../packages/beckon/src/open-beckon.ts';
import type { TestDaemon } from '../harness/cli.ts';
import { useBench } from '../harness/use-bench.ts';

const bench = useBench();

const up = (path: string): Promise<TestDaemon> => bench.up(['--port', '0', '--store', `sqlite:${path}`]);
const tryUp = (path: string) =>
  bench.run(['up', '--port', '0', '--store', `sqlite:${path}`], { env: { BECKON_HOME: join(bench.folder, 'other') } });

async function ask(question: string): Promise<void> {
  const asked = await bench.ask([question, '--timeout', '1h']);
  asked.child.kill('SIGKILL');
}

async function listQuestions(): Promise<string[]> {
  const { stdout } = await bench.run(['list', '--all', '--json']);
  const { items } = JSON.parse(stdout) as { items: { request: { question: string } }[] };
  return items.map(({ request }) => request.question);
}

async function kill(daemon: TestDaemon): Promise<void> {
  daemon.child.kill('SIGKILL');
  await daemon.exit;
}

describe.concurrent('a store with several names', () => {
  test('a second daemon on the same file by a hard link is refused, also after the first was killed, and nothing is lost', async () => {
    const file = join(bench.folder, 'beckon.db');
    const first = await up(file);
    await ask('one');
    const other = join(bench.folder, 'other.db');
    await link(file, other);
    const refusal = { code: 1, stderr: expect.stringMatching(/has 2 names \(hard links\).*would be lost/) };
    expect(await tryUp(other)).toMatchObject(refusal);
    // Under another name in another folder too, and for every command that opens the store itself.
    await mkdir(join(bench.folder, 'deep'));
    await link(file, join(bench.folder, 'deep', 'beckon.db'));
    expect(await tryUp(join(bench.folder, 'deep', 'beckon.db'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has 3 names'),
    });
    expect(await bench.run(['token', 'list', '--store', `sqlite:${other}`])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has 3 names'),
    });
    await expect(openBeckon({ store: `sqlite:${other}` })).rejects.toMatchObject({ code: 'store_misconfigured' });
    expect(await bench.run(['doctor', '--store', `sqlite:${other}`])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('has 3 names'),
    });
    await ask('two');

    await kill(first);
    expect(await tryUp(other)).toMatchObject({ code: 1 });
    expect((await readdir(bench.folder)).filter((name) => name.startsWith('other.db'))).toEqual(['other.db']);
    await up(file);
    expect(await listQuestions()).toEqual(['two', 'one']);
  });

  test('a symbolic link is the same store: a second daemon is refused, and other processes share it', async () => {
    const file = join(bench.folder, 'beckon.db');
    const first = await up(file);
    const other = join(bench.folder, 'links', 'other.db');
    await mkdir(join(bench.folder, 'links'));
    await symlink('../middle.db', other);
    await symlink('beckon.db', join(bench.folder, 'middle.db'));
    expect(await tryUp(other)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`A Beckon (pid ${first.pid}`),
    });

    await ask('by the daemon');
    const beckon = await openBeckon({ store: `sqlite:${other}` });
    try {
      expect((await beckon.list()).items).toHaveLength(1);
      await beckon.ask({ kind: 'question', request: { question: 'by the link' } });
    } finally {
      await beckon.close();
    }
    expect(await listQuestions()).toEqual(['by the link', 'by the daemon']);
    expect(existsSync(`${other}-wal`)).toBe(false);
    await kill(first);
    await up(other);
    expect(await listQuestions()).toEqual(['by the link', 'by the daemon']);
  });

  test('a folder that is a link, and a link to a file that is not there yet, are the same store too', async () => {
    const file = join(bench.folder, 'beckon.db');
    await mkdir(join(bench.folder, 'real'));
    await symlink('real', join(bench.folder, 'alias'));
    await symlink('real/beckon.db', file);
    const first = await up(file);
    for (const path of [join(bench.folder, 'alias', 'beckon.db'), join(bench.folder, 'real', 'beckon.db')])
      expect(await tryUp(path)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`A Beckon (pid ${first.pid}`),
      });
    expect((await readdir(join(bench.folder, 'real'))).sort()).toContain('beckon.db-wal');
  });

  test('a file that was moved, copied, or has one name again is used as before', async () => {
    const file = join(bench.folder, 'beckon.db');
    await stop(await up(file));
    const [moved, copied] = [join(bench.folder, 'moved.db'), join(bench.folder, 'copied.db')];
    await rename(file, moved);
    await stop(await up(moved));
    await copyFile(moved, copied);
    await stop(await up(copied));
    // A backup made of hard links does not stop the name in use.
    await link(moved, file);
    await stop(await up(moved));
    expect(await tryUp(file)).toMatchObject({ code: 1 });
    await rm(moved);
    await stop(await up(file));

    async function stop(daemon: TestDaemon): Promise<void> {
      daemon.child.kill('SIGTERM');
      expect(await daemon.exit).toBe(0);
    }
  });

  test('a database that is removed or replaced under a running daemon takes nothing more, until it is back', async () => {
    const file = join(bench.folder, 'beckon.db');
    const daemon = await up(file);
    await ask('kept');
    const away = join(bench.folder, 'away.db');
    await rename(file, away);
    expect(await bench.run(['ask', 'lost?', '--timeout', '1h'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('was removed while Beckon was using it'),
    });
    await copyFile(away, file);
    expect(await bench.run(['ask', 'lost?', '--timeout', '1h'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('was replaced while Beckon was using it'),
    });
    expect((await fetch(`${daemon.url}/readyz`)).status).toBe(503);
    await rename(away, file);
    await ask('kept too');
    await vi.waitFor(async () => expect((await fetch(`${daemon.url}/readyz`)).status).toBe(200), {
      timeout: 30_000,
      interval: 100,
    });
    await kill(daemon);
    await up(file);
    expect(await listQuestions()).toEqual(['kept too', 'kept']);
  });
});
