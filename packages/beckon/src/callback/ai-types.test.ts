import { expect, expectTypeOf, test } from 'vitest';
import { type AiEvent, ai, type ConversationEvent } from './ai.ts';
import type { Callback } from './callback.ts';

const callback: Callback = {
  awaitInteraction: () => Promise.reject(new DOMException('too late', 'TimeoutError')),
  endpoint: () => 'test://here',
};

async function* words(): AsyncGenerator<string> {
  yield 'Sales.';
}

test('events of an agent that yields strings can be told apart by their type', async () => {
  const urls: string[] = [];
  const said: string[] = [];
  for await (const event of ai(words, { callback })()) {
    if (typeof event === 'string') said.push(event);
    if (event.type === 'component') urls.push(event.data.callback_url);
    else if (event.type === 'timeout') urls.push(event.data.callback_url);
  }
  expect({ urls, said }).toEqual({ urls: ['test://here', 'test://here'], said: ['Sales.'] });
});

test('without a callback there may be no callback_url, and events of any kind keep their type', () => {
  type EventsOf<Iterable> = Iterable extends AsyncIterable<infer Event> ? Event : never;
  const told = ai(async () => 'Sales.');
  expectTypeOf<EventsOf<ReturnType<typeof told>>>().toEqualTypeOf<AiEvent>();
  const talked = ai(() => 'Sales.', { callback, timeout: undefined, llm: undefined });
  expectTypeOf<EventsOf<ReturnType<typeof talked>>>().toEqualTypeOf<ConversationEvent>();
  async function* tokens(): AsyncGenerator<{ type: 'token'; text: string }> {
    yield { type: 'token', text: 'Sales.' };
  }
  const streamed = ai(tokens, { callback });
  expectTypeOf<EventsOf<ReturnType<typeof streamed>>>().toEqualTypeOf<
    { type: 'token'; text: string } | ConversationEvent
  >();
});
