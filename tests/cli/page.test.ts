import { chmod, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { connectAccount } from '../../packages/beckon/src/client/connect-account.ts';
import { type Run } from '../harness/cli.ts';
import { useBench } from '../harness/use-bench.ts';

const LINK = /(http:\/\/[\w.:[\]-]+)\/login#([\w-]{32})/;

const bench = useBench();

/** A desktop whose program for addresses writes down what it was asked to open. */
async function useDesktop(exitCode = 0): Promise<{ env: Record<string, string>; opened: () => Promise<string> }> {
  const record = join(bench.folder, 'opened');
  await writeFile(join(bench.folder, 'xdg-open'), `#!/bin/sh\necho "$1" >> '${record}'\nexit ${exitCode}\n`);
  await chmod(join(bench.folder, 'xdg-open'), 0o755);
  const env = { DISPLAY: ':99', PATH: `${bench.folder}${delimiter}${process.env['PATH']}` };
  return { env, opened: () => readFile(record, 'utf8') };
}

const NO_DISPLAY = { DISPLAY: '', WAYLAND_DISPLAY: '' };

async function logIn(text: string): Promise<unknown> {
  const [, url = '', code = ''] = LINK.exec(text) ?? [];
  return connectAccount(url).logIn(code);
}

describe.concurrent('the page from the command line', () => {
  describe('beckon open', () => {
    test('prints a link that logs one browser in, as the owner of the token', async () => {
      const { url } = await bench.up();
      const { code, stdout, stderr } = await bench.run(['open', '--print']);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout.startsWith(`${url}/login#`)).toBe(true);
      expect(await logIn(stdout)).toMatchObject({ who: expect.stringContaining('@'), role: 'admin' });
      await expect(logIn(stdout)).rejects.toMatchObject({ code: 'unauthorized' });
    });

    test('makes links for others, and tells them as JSON', async () => {
      await bench.up();
      const { stdout } = await bench.run(['open', '--who', 'ada', '--chat', 'ops', '--json']);
      expect(JSON.parse(stdout)).toEqual({ url: expect.stringMatching(LINK), expiresAt: expect.any(String) });
      expect(await logIn(stdout)).toMatchObject({ who: 'ada', role: 'person', chatId: 'ops' });
      expect(await bench.run(['open', '--who', 'ada', '--role', 'agent'])).toMatchObject({ code: 2 });
    });

    test.runIf(process.platform === 'linux')('opens the browser where there is a display', async () => {
      await bench.up();
      const { env, opened } = await useDesktop();
      const { code, stdout, stderr } = await bench.run(['open'], { env });
      expect([code, stdout]).toEqual([0, '']);
      expect(stderr).toContain('Opened the page');
      expect(await logIn(await opened())).toMatchObject({ role: 'admin' });
    });

    test.runIf(process.platform === 'linux')(
      'prints the link and says so where there is none, or nothing opens it',
      async () => {
        await bench.up();
        const { env } = await useDesktop(3);
        for (const surroundings of [NO_DISPLAY, env]) {
          const { code, stdout, stderr } = await bench.run(['open'], { env: surroundings });
          expect([code, stderr]).toEqual([0, expect.stringContaining('No browser could be opened here')]);
          expect(stdout).toMatch(LINK);
        }
      },
    );

    test('has no code for a phone that could not reach it, and one for a phone that can', async () => {
      await bench.up();
      const refused = await bench.run(['open', '--qr']);
      expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--host 0.0.0.0') });
      await bench.run(['down']);
      await bench.up(['--host', '0.0.0.0', '--port', '0', '--allow-host', 'beckon.lan']);
      const { code, stdout } = await bench.run(['open', '--qr']);
      expect(code).toBe(0);
      expect(stdout).toMatch(/[▀▄█]{10}/);
      expect(stdout).toMatch(/http:\/\/beckon\.lan:\d+\/login#[\w-]{32}\n$/);
    });

    test('without a Beckon says how to start one', async () => {
      expect(await bench.run(['open'])).toMatchObject({ code: 6, stderr: expect.stringContaining('beckon up') });
    });
  });

  describe('beckon up', () => {
    // util-linux's `script` gives the command a terminal; it is part of every Debian.
    describe.runIf(process.platform === 'linux')('on a terminal', () => {
      async function upOnTerminal(args: readonly string[], env: Record<string, string> = NO_DISPLAY): Promise<Run> {
        const run = bench.startOnTerminal(['up', '--port', '0', ...args], { env });
        await run.seen(/[Tt]he inbox page/);
        return run;
      }

      test('prints a link for the page', async () => {
        const run = await upOnTerminal([]);
        await run.seen(LINK);
        expect(await logIn(stripVTControlCharacters(run.stdout()))).toMatchObject({ role: 'admin' });
        expect(run.stdout()).not.toMatch(/[▀▄█]{10}/);
      });

      test('shows a code for the phone where other machines can reach it', async () => {
        const run = await upOnTerminal(['--host', '0.0.0.0', '--allow-host', 'beckon.lan']);
        await run.seen(/For another, run/);
        expect(run.stdout()).toMatch(/[▀▄█]{10}/);
        expect(run.stdout()).toMatch(/for a phone: .*http:\/\/beckon\.lan:\d+\/login#/);
      });

      test('opens the page with --open, and prints the link where it cannot', async () => {
        const { env, opened } = await useDesktop();
        const run = await upOnTerminal(['--open'], env);
        await run.seen(/Opened the inbox page/);
        expect(run.stdout()).not.toMatch(LINK);
        expect(await logIn(await opened())).toMatchObject({ role: 'admin' });
        await bench.run(['down']);
        await (await upOnTerminal(['--open'])).seen(LINK);
      });
    });

    test('writes no link into a log, into JSON, or for --detach', async () => {
      const daemon = await bench.up();
      await bench.run(['down']);
      await daemon.exit;
      expect(daemon.stdout() + daemon.stderr()).not.toContain('login#');
      const detached = await bench.run(['up', '--port', '0', '--detach']);
      expect(detached.stdout).toContain('beckon open');
      expect(detached.stdout + detached.stderr).not.toContain('login#');
      await bench.run(['down']);
      expect(await readFile(join(bench.home, 'beckon.log'), 'utf8')).not.toContain('login#');
    });

    test('asks three samples once: a restart asks none again, and what was ended does not come back', async () => {
      const readSamples = async (): Promise<{ id: string; kind: string; status: string; metadata: object }[]> =>
        JSON.parse((await bench.run(['list', '--all', '--chat', 'samples', '--json'])).stdout).items;
      await bench.up(['--port', '0', '--samples']);
      const samples = await readSamples();
      expect(samples.map(({ kind }) => kind)).toEqual(['question', 'plan_review', 'approval']);
      for (const sample of samples) {
        expect(sample).toMatchObject({ status: 'pending', askedBy: 'Beckon samples' });
        expect(sample).not.toHaveProperty('expiresAt');
      }
      await bench.run(['cancel', samples[0]?.id ?? '']);
      await bench.run(['answer', samples[1]?.id ?? '', 'yes']);
      await bench.run(['down']);
      await bench.up(['--port', '0', '--samples']);
      expect((await readSamples()).map(({ id, status }) => [id, status])).toEqual([
        [samples[0]?.id, 'cancelled'],
        [samples[1]?.id, 'answered'],
        [samples[2]?.id, 'pending'],
      ]);
    });

    test('answers for every address of this machine when it listens on all of them', async () => {
      const { port } = await bench.up(['--host', '0.0.0.0', '--port', '0']);
      const { networkInterfaces } = await import('node:os');
      const own = Object.values(networkInterfaces())
        .flat()
        .filter((address) => address !== undefined && !address.internal && address.family === 'IPv4');
      for (const address of own) expect((await fetch(`http://${address?.address}:${port}/healthz`)).status).toBe(200);
      expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    });
  });

  test('the list is searched by words, also in what is settled', async () => {
    await bench.up();
    const deploy = await bench.ask(['Deploy the service?']);
    const rename = await bench.ask(['Rename the service?']);
    await bench.run(['answer', deploy.id, 'tomorrow']);
    const find = async (...args: string[]): Promise<string[]> =>
      JSON.parse((await bench.run(['list', '--json', ...args])).stdout).items.map(({ id }: { id: string }) => id);
    expect(await find('--search', 'service')).toEqual([rename.id, deploy.id]);
    expect(await find('--search', 'deploy tomorr')).toEqual([deploy.id]);
    expect(await find('--search', 'service', '--status', 'pending')).toEqual([rename.id]);
    expect(await bench.run(['list', '--search', ''])).toMatchObject({ code: 2 });
  });
});
