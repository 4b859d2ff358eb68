// An event has an action and its data. Common actions: click, select, submit, change.
import assert from 'node:assert/strict';
import { Http } from 'beckon';
import { port } from '../port.ts';

const callback = new Http({ port });
const events = [
  { action: 'click', data: { button: 'Deep Dive', id: 'card-123' } },
  { action: 'select', data: { value: 'Q2', id: 'quarter' } },
  { action: 'submit', data: { values: { email: 'ana@example.com' } }, component: 'form' },
  { action: 'change', data: { tab: 'metrics' } },
];
for (const event of events) {
  await callback.open();
  assert.equal(await post(event), 200);
  assert.deepEqual(await callback.awaitInteraction(), event);
}

await callback.open();
assert.equal(await post({ data: {} }), 400); // No action.
assert.equal(await post('{"action":'), 400); // Not JSON.
assert.equal(await post({ action: 'x', data: 'x'.repeat(2_000_000) }), 413); // Too large.
assert.equal(await post({ action: 'click' }), 200); // It still waits for the first valid event.
await callback.close();
console.log(`${events.length} events came as they were sent.`);

async function post(body: object | string): Promise<number> {
  const response = await fetch(callback.endpoint(), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return response.status;
}
