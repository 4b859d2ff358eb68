// The agent streams, components appear, the person clicks, the agent continues.
import assert from 'node:assert/strict';
import { ai, Http } from 'beckon';
import { startGemini } from '../gemini.ts';
import { port } from '../port.ts';

const dashboard = [{ type: 'card', key: 'card-123', title: 'Sales', content: '$2.4M', actions: ['Deep Dive'] }];
const stopGemini = await startGemini(dashboard, [{ type: 'markdown', content: 'North America leads.' }]);

const asked: string[] = [];
async function* agent(query: string): AsyncGenerator<{ type: 'token'; text: string }> {
  asked.push(query);
  const answer = asked.length === 1 ? 'Sales are $2.4M.' : 'North America leads.';
  for (const word of answer.split(/(?<= )/)) yield { type: 'token', text: word };
}

const callback = new Http({ port });
const enhanced = ai(agent, { llm: 'gemini', callback });

const shown: unknown[] = [];
for await (const event of enhanced('Show sales dashboard')) {
  if (event.type === 'component') {
    const { components, callback_url: callbackUrl } = event.data;
    shown.push(components);
    if (shown.length === 2) break;

    // A page would draw the components here. The person clicks:
    await fetch(callbackUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ action: 'click', data: { button: 'Deep Dive', id: 'card-123' } }),
    });

    const interaction = await callback.awaitInteraction(300);
    assert.deepEqual(interaction, { action: 'click', data: { button: 'Deep Dive', id: 'card-123' } });
  }
}
stopGemini();

assert.deepEqual(shown, [dashboard, [{ type: 'markdown', content: 'North America leads.' }]]);
assert.equal(asked[0], 'Show sales dashboard');
assert.match(asked[1] ?? '', /Deep Dive/);
console.log('The agent continued with the click:', asked[1]?.split('\n').at(-1));
