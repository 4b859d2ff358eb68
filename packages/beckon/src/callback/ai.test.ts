import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { defineComponent } from '../components/component.ts';
import { CLICK, post } from '../testing/harness/post.ts';
import { promptOf, scriptedModel } from '../testing/harness/scripted-model.ts';
import { type AiEvent, ai, type ComponentEvent } from './ai.ts';
import type { Callback, CallbackEvent } from './callback.ts';
import { Http } from './http.ts';

const CARD = { type: 'card', key: 'card-123', title: 'Sales', actions: ['Deep Dive'] };
const SHAPED = { components: [CARD] };

let callback: Http;
beforeEach(() => {
  callback = new Http({ port: 0 });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await callback.close();
});

/** An agent that remembers what it was asked. */
function streamingAgent(...answers: string[]) {
  const asked: string[] = [];
  const agent = async function* (query: string): AsyncGenerator<{ type: 'token'; text: string }> {
    const answer = answers[asked.length] ?? 'The end.';
    asked.push(query);
    for (const word of answer.split(/(?<= )/)) yield { type: 'token', text: word };
  };
  return { agent, asked };
}

function isComponent(event: unknown): event is ComponentEvent {
  return (event as AiEvent).type === 'component';
}

async function collect<Event>(events: AsyncIterable<Event>): Promise<Event[]> {
  const all: Event[] = [];
  for await (const event of events) all.push(event);
  return all;
}

async function nextComponent(events: AsyncIterator<unknown>): Promise<ComponentEvent> {
  for (;;) {
    const { value, done } = await events.next();
    if (isComponent(value)) return value;
    if (done === true) throw new Error('Expected a component.');
  }
}

describe('a streaming agent', () => {
  test('its events pass through untouched, then the components come', async () => {
    const { agent } = streamingAgent('Revenue is up');
    const model = scriptedModel(SHAPED);
    const events = await collect(ai(agent, { llm: model })('Show sales'));
    expect(events.filter(({ type }) => type === 'token')).toEqual([
      { type: 'token', text: 'Revenue ' },
      { type: 'token', text: 'is ' },
      { type: 'token', text: 'up' },
    ]);
    expect(events.at(-1)).toEqual({ type: 'component', data: { components: [CARD] } });
    expect(promptOf(model)).toContain('Show sales');
    expect(promptOf(model)).toContain('Revenue is up');
  });

  test('the components stream as they come, each more complete than the one before', async () => {
    const { agent } = streamingAgent('x');
    const components = [CARD, { type: 'markdown', content: 'A longer text that takes its time to arrive. '.repeat(4) }];
    const events = await collect(ai(agent, { llm: scriptedModel({ components }) })('q'));
    const deltas = events.filter((event) => event.type === 'component_delta');
    expect(deltas.length).toBeGreaterThan(3);
    expect(deltas.at(-1)).toEqual({ type: 'component_delta', data: { components } });
    expect(new Set(deltas.map((delta) => JSON.stringify(delta))).size).toBe(deltas.length);
  });

  test('an agent that says nothing shows nothing', async () => {
    const { agent } = streamingAgent(' ');
    const model = scriptedModel(SHAPED);
    expect(await collect(ai(agent, { llm: model })('q'))).toEqual([{ type: 'token', text: ' ' }]);
    expect(model.doStreamCalls).toEqual([]);
  });

  test.each<[string, unknown[], string]>([
    ['plain texts', ['Hello ', 'you'], 'Hello you'],
    [
      'parts of the AI SDK',
      [
        { type: 'text-delta', text: 'Hello ' },
        { type: 'reasoning-delta', text: 'hm' },
        { type: 'text-delta', text: 'you' },
      ],
      'Hello you',
    ],
    [
      'messages of LangGraph',
      [
        [{ content: 'Hello ' }, { langgraph_node: 'a' }],
        [
          {
            content: [
              { type: 'text', text: 'y' },
              { type: 'text', text: 'ou' },
            ],
          },
          {},
        ],
      ],
      'Hello you',
    ],
    ['chunks with data', [{ type: 'message', data: 'Hello ' }, { message: { content: 'you' } }, null, 7], 'Hello you7'],
  ])('the text is found in %s', async (_, said, text) => {
    const agent = async function* (_query: string): AsyncGenerator<unknown> {
      yield* said;
    };
    const events = await collect(ai(agent)('q'));
    expect(events.at(-1)).toEqual({ type: 'component', data: { components: [{ type: 'markdown', content: text }] } });
  });

  test('textOf says where the text is in events of another form', async () => {
    const agent = async function* (_query: string) {
      yield { words: ['Hello', 'you'] };
    };
    const textOf = (event: unknown): string => (event as { words: string[] }).words.join(' ');
    const events = await collect(ai(agent, { textOf })('q'));
    expect(events.at(-1)).toMatchObject({ data: { components: [{ content: 'Hello you' }] } });
  });

  test('an async function that gives a stream is one, too', async () => {
    const { agent } = streamingAgent('Hello');
    const events = await collect(ai(async (query: string) => agent(query))('q'));
    expect(events.at(-1)).toMatchObject({ type: 'component', data: { components: [{ content: 'Hello' }] } });
  });
});

describe('an agent that does not stream', () => {
  test.each([
    ['a sync one', (query: string) => `Answer to ${query}`],
    ['an async one', async (query: string) => `Answer to ${query}`],
  ])('awaited, %s gives its text with the components', async (_, agent) => {
    const [text, components] = await ai(agent, { llm: scriptedModel(SHAPED) })('q');
    expect(text).toBe('Answer to q');
    expect(components).toEqual([CARD]);
  });

  test('iterated, it is a conversation', async () => {
    const asked: string[] = [];
    const agent = (query: string): string => {
      asked.push(query);
      return `Answer ${asked.length}`;
    };
    const texts: string[] = [];
    for await (const event of ai(agent, { callback })('q')) {
      if (event.type === 'text') texts.push(event.data.text);
      if (event.type === 'component' && texts.length === 3) break;
      if (event.type === 'component') await post(event.data.callback_url ?? '');
    }
    expect(texts).toEqual(['Answer 1', 'Answer 2', 'Answer 3']);
    expect(asked[2]).toBe(
      'q\n\nThe person did: click {"button":"Deep Dive","id":"card-123"}\n\nThe person did: click {"button":"Deep Dive","id":"card-123"}',
    );
  });

  test('its failure is the failure of the await, and of the loop', async () => {
    const enhanced = ai(async (_query: string): Promise<string> => {
      throw new Error('no network');
    });
    await expect(enhanced('q')).rejects.toThrow('no network');
    await expect(collect(enhanced('q'))).rejects.toThrow('no network');
    const atOnce = ai((_query: string): string => {
      throw new Error('no idea');
    });
    await expect(atOnce('q')).rejects.toThrow('no idea');
    await expect(collect(atOnce('q'))).rejects.toThrow('no idea');
  });
});

describe('the conversation', () => {
  test('goes on with what the person did, for as many rounds as they go on', async () => {
    const { agent, asked } = streamingAgent('one', 'two', 'three', '');
    const enhanced = ai(agent, {
      callback,
      continueWith: ({ action, data }, { round }) => `${round}: ${action} ${JSON.stringify(data)}`,
    });
    const urls: string[] = [];
    for await (const event of enhanced('Show sales')) {
      if (!isComponent(event)) continue;
      urls.push(event.data.callback_url ?? '');
      await post(event.data.callback_url ?? '', { action: 'select', data: urls.length });
    }
    expect(asked).toEqual(['Show sales', '1: select 1', '2: select 2', '3: select 3']);
    expect(new Set(urls).size).toBe(3);
  });

  test.each<[string, () => Callback]>([
    ['a callback over HTTP', () => callback],
    [
      'a callback of somebody else',
      () => ({ awaitInteraction: () => callback.awaitInteraction(), endpoint: () => callback.endpoint() }),
    ],
  ])('%s is for one conversation at a time', async (_, toCallback) => {
    await callback.open();
    const shared = toCallback();
    const { agent, asked } = streamingAgent('one', 'two');
    const first = ai(agent, { callback: shared })('of Ada');
    const { data } = await nextComponent(first);
    // Another `ai()` is no other callback.
    const other = streamingAgent('three');
    await expect(ai(other.agent, { callback: shared })('of Bob').next()).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('Give each conversation a callback of its own'),
    });
    expect(other.asked).toEqual([]);

    await post(data.callback_url ?? '');
    expect((await nextComponent(first)).data.components).toEqual([{ type: 'markdown', content: 'two' }]);
    expect(asked[1]).toContain('of Ada\n\nThe person did: click');
    await first.return();
    const second = ai(other.agent, { callback: shared })('of Bob');
    expect((await nextComponent(second)).data.components).toEqual([{ type: 'markdown', content: 'three' }]);
    await second.return();
  });

  test('a consumer who awaits as well gets the same event', async () => {
    const { agent, asked } = streamingAgent('one', 'two', '');
    const seen: CallbackEvent[] = [];
    for await (const event of ai(agent, { callback })('q')) {
      if (!isComponent(event)) continue;
      const interaction = callback.awaitInteraction();
      await post(event.data.callback_url ?? '', { action: 'click', data: seen.length });
      seen.push(await interaction);
      // Also one who comes late.
      expect(await callback.awaitInteraction()).toBe(seen.at(-1));
    }
    expect(seen.map(({ data }) => data)).toEqual([0, 1]);
    expect(asked).toHaveLength(3);
  });

  test('the other arguments of the agent stay', async () => {
    const seen: unknown[][] = [];
    const agent = async function* (...args: [query: string, user: { name: string }]) {
      seen.push(args);
      yield seen.length < 3 ? 'text' : '';
    };
    for await (const event of ai(agent, { callback, continueWith: () => 'next' })('q', { name: 'ana' })) {
      if (isComponent(event)) await post(event.data.callback_url ?? '');
    }
    expect(seen).toEqual([
      ['q', { name: 'ana' }],
      ['next', { name: 'ana' }],
      ['next', { name: 'ana' }],
    ]);
  });

  test('continueWith ends it with null', async () => {
    const { agent, asked } = streamingAgent('one', 'two');
    for await (const event of ai(agent, { callback, continueWith: async () => null })('q')) {
      if (isComponent(event)) await post(event.data.callback_url ?? '');
    }
    expect(asked).toEqual(['q']);
  });

  test('ends with a timeout where nobody does anything', async () => {
    const { agent } = streamingAgent('one');
    const events = await collect(ai(agent, { callback, timeout: '10ms' })('q'));
    expect(events.at(-1)).toMatchObject({
      type: 'timeout',
      data: { callback_url: expect.stringContaining('/callback/') },
    });
  });

  test.each(['break', 'throw', 'return'] as const)(
    'leaving the loop by %s ends the wait and the server',
    async (way) => {
      const { agent } = streamingAgent('one');
      let url = '';
      const leave = async (): Promise<void> => {
        for await (const event of ai(agent, { callback })('q')) {
          if (!isComponent(event)) continue;
          url = event.data.callback_url ?? '';
          if (way === 'break') break;
          if (way === 'return') return;
          throw new Error('left');
        }
      };
      const [outcome] = await Promise.allSettled([leave()]);
      expect(outcome.status).toBe(way === 'throw' ? 'rejected' : 'fulfilled');
      await expect(post(url)).rejects.toThrow('fetch failed');
    },
  );

  test('it may be left while it waits', async () => {
    const { agent } = streamingAgent('one');
    const events = ai(agent, { callback })('q');
    let event = await events.next();
    while (event.done !== true && !isComponent(event.value)) event = await events.next();
    const next = events.next();
    await events.return();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test('it ends with the reason of its signal', async () => {
    const { agent } = streamingAgent('one');
    const left = new AbortController();
    const loop = async (): Promise<void> => {
      for await (const event of ai(agent, { callback, signal: left.signal })('q')) {
        if (isComponent(event)) setImmediate(() => left.abort(new Error('shutting down')));
      }
    };
    await expect(loop()).rejects.toThrow('shutting down');
    await expect(collect(ai(agent, { signal: left.signal })('q'))).rejects.toThrow('shutting down');
  });

  test('an agent that throws ends the stream with its error, in any round', async () => {
    const { agent } = streamingAgent('one');
    let round = 0;
    const failing = async function* (query: string) {
      round += 1;
      yield* agent(query);
      if (round === 2) throw new Error('out of tokens');
    };
    const loop = async (): Promise<void> => {
      for await (const event of ai(failing, { callback })('q')) {
        if (isComponent(event)) await post(event.data.callback_url ?? '');
      }
    };
    await expect(loop()).rejects.toThrow('out of tokens');
    expect(round).toBe(2);
  });

  test('a port that is taken ends the stream with a clear error', async () => {
    const other = new Http({ port: 0 });
    await other.open();
    const { agent } = streamingAgent('one');
    const taken = new Http({ port: Number(new URL(other.endpoint()).port) });
    await expect(collect(ai(agent, { callback: taken })('q'))).rejects.toMatchObject({ code: 'address_in_use' });
    await other.close();
  });

  test('works with any class that has the two methods', async () => {
    class Scripted implements Callback {
      count = 0;
      async awaitInteraction(): Promise<CallbackEvent> {
        this.count += 1;
        if (this.count > 2) throw new DOMException('too late', 'TimeoutError');
        return CLICK;
      }
      endpoint(): string {
        return 'test://here';
      }
    }
    const { agent, asked } = streamingAgent('one', 'two', 'three');
    const events = await collect(ai(agent, { callback: new Scripted() })('q'));
    expect(events.flatMap((event) => (event.type === 'component' ? event.data.callback_url : []))).toEqual(
      Array(3).fill('test://here'),
    );
    expect(events.at(-1)).toEqual({ type: 'timeout', data: { callback_url: 'test://here' } });
    expect(asked).toHaveLength(3);
  });

  test('an own callback that never ends does not hold up who leaves', async () => {
    const endless: Callback = { awaitInteraction: () => new Promise(() => undefined), endpoint: () => 'test://here' };
    const { agent } = streamingAgent('one');
    const events = ai(agent, { callback: endless })('q');
    let event = await events.next();
    while (event.done !== true && !isComponent(event.value)) event = await events.next();
    const next = events.next();
    await events.return();
    expect((await next).done).toBe(true);
  });
});

describe('shaping', () => {
  const agent = (_query: string): string => 'Revenue is **up**';
  const MARKDOWN = [{ type: 'markdown', content: 'Revenue is **up**' }];

  test('asks the model for the schema of the components', async () => {
    const model = scriptedModel(SHAPED);
    await ai(agent, { llm: model, components: ['card', 'markdown'] })('q');
    const { responseFormat } = model.doStreamCalls[0]!;
    expect(responseFormat).toMatchObject({ type: 'json', schema: { required: ['components'] } });
    expect(JSON.stringify(responseFormat)).toContain('component_card');
    expect(JSON.stringify(responseFormat)).not.toContain('component_table');
    expect(promptOf(model)).not.toContain('- table:');
  });

  test('what is wrong is repaired once, with what was wrong', async () => {
    const errors: unknown[] = [];
    const model = scriptedModel({ components: [{ type: 'image', src: 'javascript:x' }] }, SHAPED);
    const [, components] = await ai(agent, { llm: model, onError: (error) => errors.push(error) })('q');
    expect(components).toEqual([CARD]);
    expect(promptOf(model, 1)).toContain('[0].src (image): expected an http(s) address');
    expect(errors).toEqual([]);
  });

  test.each<[string, (string | object | Error)[]]>([
    ['is wrong twice', [{ components: [{ type: 'nonsense' }] }]],
    ['says no JSON', ['I would rather not.']],
    ['shows nothing', [{ components: [] }]],
    ['fails', [new Error('overloaded')]],
  ])('a model that %s leaves the text as Markdown', async (_, script) => {
    const errors: unknown[] = [];
    const llm = scriptedModel(...script);
    const [, components] = await ai(agent, { llm, onError: (error) => errors.push(error) })('q');
    expect(components).toEqual(MARKDOWN);
    expect(errors).toHaveLength(1);
    expect(llm.doStreamCalls.length).toBeLessThanOrEqual(3);
  });

  test('a component outside the choice is refused', async () => {
    const model = scriptedModel(SHAPED, { components: MARKDOWN });
    const [, components] = await ai(agent, { llm: model, components: ['markdown'] })('q');
    expect(components).toEqual(MARKDOWN);
    expect(model.doStreamCalls).toHaveLength(2);
  });

  test('own components can be chosen', async () => {
    const stars = defineComponent({ description: 'A rating.', schema: z.object({ count: z.number() }) });
    const llm = scriptedModel({ components: [{ type: 'stars', count: 3 }] });
    const [, components] = await ai(agent, { llm, components: { stars } })('q');
    expect(components).toEqual([{ type: 'stars', count: 3 }]);
    expect(promptOf(llm)).toContain('- stars: A rating.');
  });

  test('an agent that speaks in components needs no model', async () => {
    const model = scriptedModel(SHAPED);
    const speaking = (_query: string): string => `\`\`\`json\n${JSON.stringify([CARD])}\n\`\`\``;
    expect(await ai(speaking, { llm: model })('q')).toEqual([expect.any(String), [CARD]]);
    expect(model.doStreamCalls).toEqual([]);
  });

  test('without a model the text is Markdown', async () => {
    expect(await ai(agent)('q')).toEqual(['Revenue is **up**', MARKDOWN]);
  });
});
