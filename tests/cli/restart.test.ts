import { describe, expect, test } from 'vitest';
import { useBench } from '../harness/use-bench.ts';

const bench = useBench();

describe.concurrent('a daemon that goes away', () => {
  test('a question survives kill -9 of the daemon and gets its answer from the next one', async () => {
    const daemon = await bench.up();
    const asked = await bench.ask(['Still there?', '--timeout', '1h']);
    daemon.child.kill('SIGKILL');
    await daemon.exit;
    await bench.up(['--port', daemon.port]);
    expect(await bench.run(['answer', asked.id, 'yes, still'])).toMatchObject({ code: 0 });
    expect(await bench.finish(asked)).toMatchObject({ code: 0, stdout: 'yes, still\n' });
  });

  test('a clean stop between ask and answer loses nothing', async () => {
    const daemon = await bench.up();
    const asked = await bench.ask(['Still there?', '--timeout', '1h']);
    daemon.child.kill('SIGTERM');
    expect(await daemon.exit).toBe(0);
    await bench.up(['--port', daemon.port]);
    expect(await bench.run(['answer', asked.id, 'yes'])).toMatchObject({ code: 0 });
    expect(await bench.finish(asked)).toMatchObject({ code: 0, stdout: 'yes\n' });
  });

  test('without a Beckon the exit code is 6, with what to do, and one JSON document for --json', async () => {
    const daemon = await bench.up();
    daemon.child.kill('SIGTERM');
    await daemon.exit;
    const plain = await bench.run(['ask', 'Anyone?']);
    expect(plain).toMatchObject({ code: 6, stdout: '' });
    expect(plain.stderr).toMatch(/^beckon: .*beckon up/);
    const { code, stdout } = await bench.run(['ask', 'Anyone?', '--json']);
    expect(code).toBe(6);
    expect(JSON.parse(stdout)).toEqual({ error: { code: 'unreachable', message: expect.any(String) } });
  });

  test('Ctrl-C while Beckon is away says how to cancel the question later', async () => {
    const daemon = await bench.up();
    const asked = await bench.ask(['Still there?', '--timeout', '1h']);
    daemon.child.kill('SIGKILL');
    await daemon.exit;
    asked.child.kill('SIGINT');
    const ended = await bench.finish(asked);
    expect(ended.code).toBe(6);
    expect(ended.stderr).toContain(`beckon cancel ${asked.id}`);
  });
});
