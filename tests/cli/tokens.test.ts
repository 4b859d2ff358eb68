import { describe, expect, test } from 'vitest';
import { useBench } from '../harness/use-bench.ts';

const bench = useBench();

describe.concurrent('beckon token', () => {
  test('a token works on a running daemon as soon as it is made, and no longer once it is revoked', async () => {
    const { url } = await bench.up();
    const { stdout } = await bench.run(['token', 'create', 'ci', '--role', 'agent']);
    const env = { BECKON_TOKEN: stdout.trim() };
    const asked = bench.start(['ask', 'Deploy?', '--json'], { env });
    const [, id = ''] = await asked.seen(/asked (\S+)\./);
    await bench.run(['answer', id, 'yes']);
    expect(JSON.parse((await bench.finish(asked)).stdout)).toMatchObject({ askedBy: 'ci', answer: { text: 'yes' } });

    const forbidden = await bench.run(['list'], { env });
    expect(forbidden).toMatchObject({ code: 1, stderr: expect.stringContaining('agent') });

    expect(await bench.run(['token', 'revoke', 'ci'])).toMatchObject({ code: 0, stdout: 'Revoked ci\n' });
    // A token that was just used is believed for up to a second.
    while ((await fetchStatus(url, env.BECKON_TOKEN)) !== 401);
    const refused = await bench.run(['ask', 'Deploy?'], { env });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('BECKON_TOKEN') });
  });

  test('the list has names and roles, and no secrets', async () => {
    await bench.up();
    const { stdout: token } = await bench.run(['token', 'create', 'ada', '--role', 'person', '--chat', 'ops']);
    const { stdout } = await bench.run(['token', 'list']);
    expect(stdout).toMatch(/NAME +ROLE +CHAT +CREATED +LAST USED\n[\s\S]*ada +person +ops .*never/);
    const json = (await bench.run(['token', 'list', '--json'])).stdout;
    expect(JSON.parse(json)).toContainEqual({
      id: expect.any(String),
      name: 'ada',
      role: 'person',
      chatId: 'ops',
      createdAt: expect.any(String),
    });
    const secret = token.trim().split('_').slice(2).join('_');
    expect(secret).toHaveLength(43);
    expect(stdout + json).not.toContain(secret);
  });

  test('the token of an agent may have an owner; that of a person has none', async () => {
    await bench.up();
    const created = await bench.run(['token', 'create', 'builder', '--role', 'agent', '--owner', 'ada', '--json']);
    expect(JSON.parse(created.stdout)).toMatchObject({ name: 'builder', role: 'agent', owner: 'ada' });
    expect((await bench.run(['token', 'list'])).stdout).toMatch(/builder +agent of ada +all/);
    expect(JSON.parse((await bench.run(['token', 'list', '--json'])).stdout)).toContainEqual(
      expect.objectContaining({ name: 'builder', owner: 'ada' }),
    );
    const refused = await bench.run(['token', 'create', 'bo', '--role', 'person', '--owner', 'ada']);
    expect(refused).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('Only an agent has an owner'),
    });
  });

  test('a taken name, an unknown name and an unknown role are refused', async () => {
    await bench.up();
    await bench.run(['token', 'create', 'ci', '--role', 'agent']);
    const taken = await bench.run(['token', 'create', 'ci', '--role', 'agent']);
    expect(taken).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('already') });
    const unknown = await bench.run(['token', 'revoke', 'nobody']);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('beckon token list') });
    const role = await bench.run(['token', 'create', 'x', '--role', 'king']);
    expect(role).toMatchObject({ code: 2, stderr: expect.stringContaining('"admin"') });
  });

  test('a person who may only answer changes no input and makes no rule', async () => {
    await bench.up();
    const { stdout } = await bench.run(['token', 'create', 'bo', '--role', 'person', '--answer-only']);
    const env = { BECKON_TOKEN: stdout.trim() };
    expect((await bench.run(['token', 'list'])).stdout).toMatch(/bo +person, answers only +all/);
    const asked = await bench.ask(['--kind', 'approval', '--request', '{"tool":"Bash","input":{"command":"ls"}}']);
    const changed = await bench.run(['answer', asked.id, '--answer', '{"decision":"allow","remember":true}'], { env });
    expect(changed).toMatchObject({ code: 1, stderr: expect.stringContaining('not change what runs') });
    expect(await bench.run(['answer', asked.id, '--allow'], { env })).toMatchObject({ code: 0 });
    expect(await bench.finish(asked)).toMatchObject({ code: 0, stdout: 'allow\n' });
    for (const role of ['agent', 'admin'])
      expect(await bench.run(['token', 'create', 'x', '--role', role, '--answer-only'])).toMatchObject({ code: 2 });
  });

  test('a revoked name that is reused gets nothing of the old one', async () => {
    await bench.up();
    const create = async () => (await bench.run(['token', 'create', 'ci', '--role', 'agent'])).stdout.trim();
    const ask = ['ask', '--kind', 'approval', '--request', '{"tool":"Bash","input":{"command":"ls"}}', '--key', 'k'];
    const asked = bench.start(ask, { env: { BECKON_TOKEN: await create() } });
    const [, id = ''] = await asked.seen(/asked (\S+)\./);
    await bench.run(['answer', id, '--allow']);
    expect(await bench.finish(asked)).toMatchObject({ stdout: 'allow\n' });
    await bench.run(['token', 'revoke', 'ci']);
    const refused = await bench.run(ask, { env: { BECKON_TOKEN: await create() } });
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('somebody else') });
  });

  test('a person with a scope sees one conversation', async () => {
    await bench.up();
    const { stdout } = await bench.run(['token', 'create', 'ada', '--role', 'person', '--chat', 'ops']);
    const env = { BECKON_TOKEN: stdout.trim() };
    const inside = await bench.ask(['In ops?', '--chat', 'ops']);
    const outside = await bench.ask(['Elsewhere?']);
    const listed = JSON.parse((await bench.run(['list', '--json'], { env })).stdout) as { items: { id: string }[] };
    expect(listed.items.map(({ id }) => id)).toEqual([inside.id]);
    expect(await bench.run(['answer', outside.id, 'yes'], { env })).toMatchObject({ code: 1 });
    expect(await bench.run(['answer', inside.id, 'yes'], { env })).toMatchObject({ code: 0 });
    expect((await bench.finish(inside)).stdout).toBe('yes\n');
  });
});

async function fetchStatus(url: string, token: string): Promise<number> {
  const response = await fetch(`${url}/v1/interactions/int_none`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await response.body?.cancel();
  return response.status;
}
