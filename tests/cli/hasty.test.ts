import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CliBench, type Run, typeSlowly } from '../harness/cli.ts';

let bench: CliBench;

beforeAll(async () => {
  bench = await CliBench.open();
  await bench.up();
});
afterAll(() => bench.close());

const ENTER = '\r';
const DOWN = '\u001b[B';
const APPROVAL = ['--kind', 'approval', '--request', '{"tool":"Bash","input":{"command":"make deploy"}}'];
const PLAN = ['--kind', 'plan_review', '--request', '{"plan":"# Plan"}'];

/** A key that somebody leans on, from now until the returned function is called. */
function hold({ child }: Run, key: string): () => void {
  const timer = setInterval(() => child.stdin?.write(key), 30);
  return () => clearInterval(timer);
}

async function findStatus(id: string): Promise<string> {
  const { stdout } = await bench.run(['show', id, '--json']);
  return (JSON.parse(stdout) as { interaction: { status: string } }).interaction.status;
}

async function findPending(chat: string): Promise<string[]> {
  const { stdout } = await bench.run(['list', '--chat', chat, '--json']);
  return (JSON.parse(stdout) as { items: { id: string }[] }).items.map(({ id }) => id);
}

// Each test has a chat of its own.
describe.runIf(process.platform === 'linux')('keys not meant for what is on the terminal', { concurrent: true }, () => {
  test('typed ahead, pasted and held before and in the inbox decide nothing, and slow ones do', async () => {
    const asked = [await bench.ask([...APPROVAL, '--chat', 'inbox']), await bench.ask([...PLAN, '--chat', 'inbox'])];
    const inbox = bench.startOnTerminal(['inbox', '--chat', 'inbox']);
    inbox.child.stdin?.write(`${ENTER}${ENTER}2${ENTER}1${ENTER}${DOWN}${ENTER}`);
    const release = hold(inbox, ENTER);
    await inbox.seen(/2 waiting/);
    await sleep(1500);
    release();
    for (const { id } of asked) expect(await findStatus(id)).toBe('pending');
    await typeSlowly(inbox, ENTER);
    await inbox.seen(/y allow/);
    inbox.child.stdin?.write(`y${ENTER}y`);
    await sleep(500);
    for (const { id } of asked) expect(await findStatus(id)).toBe('pending');
    await typeSlowly(inbox, 'y');
    expect(await bench.finish(asked[0]!)).toMatchObject({ code: 0, stdout: 'allow\n' });
    expect(await findStatus(asked[1]!.id)).toBe('pending');
    await typeSlowly(inbox, '\u001b');
    await typeSlowly(inbox, 'q');
    expect(await bench.finish(inbox)).toMatchObject({ code: 0 });
  });

  test('typed before and held through the start of "beckon ask" decide nothing', async () => {
    const asking = bench.startOnTerminal(['ask', ...APPROVAL, '--chat', 'ask']);
    asking.child.stdin?.write(`yes${ENTER}${DOWN}${ENTER}`);
    const release = hold(asking, `${DOWN}${ENTER}`);
    await asking.seen(/Allow this\?/);
    await sleep(1500);
    release();
    const [id = ''] = await findPending('ask');
    expect(await findStatus(id)).toBe('pending');
    // The arrows moved the choice, and Enter decides about what it is on.
    await bench.run(['cancel', id]);
    expect(await bench.finish(asking)).toMatchObject({ code: 5 });
  });

  test('typed before and held through the start of "beckon answer" accept no plan, and slow ones do', async () => {
    const asked = await bench.ask([...PLAN, '--chat', 'answer']);
    const answering = bench.startOnTerminal(['answer', asked.id]);
    answering.child.stdin?.write(`y${ENTER}`);
    const release = hold(answering, ENTER);
    await answering.seen(/Accept this plan\?/);
    await sleep(1500);
    release();
    expect(await findStatus(asked.id)).toBe('pending');
    await typeSlowly(answering, DOWN, ENTER);
    expect(await bench.finish(answering)).toMatchObject({ code: 0 });
    expect(await bench.finish(asked)).toMatchObject({ code: 0, stdout: 'edit\n' });
  });

  test('pasted text with its Enter is not sent, and is there to be sent', async () => {
    const asking = bench.startOnTerminal(['ask', 'Why?', '--chat', 'paste']);
    await asking.seen(/Why\?/);
    await typeSlowly(asking, `because${ENTER}`);
    await asking.seen(/because/);
    await sleep(500);
    const [id = ''] = await findPending('paste');
    expect(await findStatus(id)).toBe('pending');
    await typeSlowly(asking, ENTER);
    expect(await bench.finish(asking)).toMatchObject({ code: 0 });
    expect(await findStatus(id)).toBe('answered');
  });
});
