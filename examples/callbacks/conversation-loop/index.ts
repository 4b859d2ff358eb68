// Agent, components, person, agent again, for as many rounds as it takes. It ends when the agent has nothing more to
// say.
import assert from 'node:assert/strict';
import { ai, Http } from 'beckon';
import { startGemini } from '../gemini.ts';
import { port } from '../port.ts';

const stopGemini = await startGemini(
  [{ type: 'suggestions', key: 'region', suggestions: ['North America', 'Europe'] }],
  [{ type: 'suggestions', key: 'quarter', suggestions: ['Q1', 'Q2'] }],
  [{ type: 'card', key: 'done', title: 'Europe, Q2', actions: ['Thanks'] }],
);

const asked: string[] = [];
async function* agent(query: string): AsyncGenerator<string> {
  asked.push(query);
  const answers = ['Which region?', 'Which quarter?', 'Revenue in Europe in Q2 was $800K.', ''];
  yield answers[asked.length - 1] ?? '';
}

const callback = new Http({ port });
const enhanced = ai(agent, { llm: 'gemini', callback });

const clicks = ['Europe', 'Q2', 'Thanks'];
const interactions: unknown[] = [];
for await (const event of enhanced('Show sales')) {
  if (typeof event !== 'string' && event.type === 'component') {
    renderUi(event.data.components, event.data.callback_url ?? '');
    const interaction = await callback.awaitInteraction();
    interactions.push(interaction.data);
    // The agent continues by itself, with what the person did.
  }
}
stopGemini();

assert.deepEqual(interactions, clicks);
assert.equal(asked.length, 4);
assert.match(asked[3] ?? '', /^Show sales\n[\s\S]*"Europe"[\s\S]*"Q2"[\s\S]*"Thanks"$/);
console.log(`${interactions.length} rounds: ${interactions.join(', ')}`);

// Plays the page and its person, who clicks a moment later.
function renderUi(_components: unknown, callbackUrl: string): void {
  const body = JSON.stringify({ action: 'select', data: clicks[interactions.length] });
  void fetch(callbackUrl, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
}
