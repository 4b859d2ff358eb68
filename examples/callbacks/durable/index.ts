// The same agent on a Beckon: it shows something and exits, the person clicks, and the next process continues with the
// click.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ai, Http, openBeckon } from 'beckon';
import { port } from '../port.ts';

const folder = mkdtempSync(join(tmpdir(), 'beckon-example-'));
const store = `sqlite:${join(folder, 'beckon.db')}`;

const asked: string[] = [];
async function* agent(query: string): AsyncGenerator<string> {
  asked.push(query);
  yield query.includes('Deep Dive') ? 'North America leads.' : 'Sales are $2.4M.';
}

/** One run of the agent's process. */
async function live(stopAfter: number, onShown: (url: string) => Promise<void>): Promise<void> {
  const beckon = await openBeckon({ store });
  const callback = new Http({ beckon, id: 'conversation-1', port });
  let shown = 0;
  for await (const event of ai(agent, { callback, timeout: '1h' })('Show sales')) {
    if (typeof event === 'string' || event.type !== 'component') continue;
    shown += 1;
    await onShown(event.data.callback_url ?? '');
    if (shown === stopAfter) break;
  }
  await beckon.close();
}

// The person clicks just as the agent exits, before the agent has heard of it.
await live(1, async (url) => {
  const body = JSON.stringify({ action: 'click', data: { button: 'Deep Dive' } });
  const reply = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  assert.equal(reply.status, 200);
});
// The next process shows the same, finds the click at once, and shows the next step.
await live(2, async () => undefined);

assert.equal(asked.length, 3);
assert.match(asked[2] ?? '', /Deep Dive/);
rmSync(folder, { recursive: true });
console.log('After the restart the click was there:', asked[2]?.split('\n').at(-1));
