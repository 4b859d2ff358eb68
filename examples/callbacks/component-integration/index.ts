// The person clicks, onCallback fires, the page posts the event, the agent receives it. This is the page's side; the
// components of beckon/react call onCallback.
import assert from 'node:assert/strict';
import { type CallbackEvent, Http } from 'beckon';
import { port } from '../port.ts';

const callback = new Http({ port });
const callbackURL = callback.endpoint();

const handleCallback = async (event: CallbackEvent): Promise<number> => {
  const response = await fetch(callbackURL, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(event),
  });
  return response.status;
};

// <div>{render(componentJSON, undefined, handleCallback)}</div> does this when the person chooses a suggestion.
const event = { action: 'select', data: { value: 'Compare to last quarter' }, component: 'suggestions' };
assert.equal(await handleCallback(event), 200);
assert.deepEqual(await callback.awaitInteraction(), event);
// A page can tell the person that a second click came too late.
assert.equal(await handleCallback({ action: 'click', data: null }), 409);
await callback.close();
console.log('The agent received', JSON.stringify(event));
