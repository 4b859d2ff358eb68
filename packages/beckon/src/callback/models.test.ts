import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ai } from './ai.ts';
import type { ProviderName } from './model-options.ts';
import { load, prepareModel } from './models.ts';

// Servers on loopback that speak the HTTP of the providers, so that the real packages of the AI SDK are on the other
// side.

const CARD = { type: 'card', title: 'Sales', content: [{ type: 'markdown', content: 'up' }] };
const TEXT = JSON.stringify({ components: [CARD] });
const CHUNKS = TEXT.match(/.{1,20}/g) ?? [];

interface Received {
  url: string;
  headers: IncomingHttpHeaders;
  // oxlint-disable-next-line typescript/no-explicit-any -- each provider has its own form
  body: any;
}

let server: Server;
let baseURL: string;
let received: Received[];
let reply: (index: number) => { status?: number; events: object[] };

beforeEach(async () => {
  received = [];
  for (const name of [
    'GEMINI_API_KEY',
    'GOOGLE_GENERATIVE_AI_API_KEY',
    'GOOGLE_API_KEY',
    'OPENAI_API_KEY',
    'ANTHROPIC_API_KEY',
  ])
    vi.stubEnv(name, '');
  server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      received.push({ url: request.url ?? '', headers: request.headers, body: JSON.parse(text) });
      const { status = 200, events } = reply(received.length - 1);
      response.writeHead(status, { 'content-type': status === 200 ? 'text/event-stream' : 'application/json' });
      if (status !== 200) return response.end(JSON.stringify(events[0]));
      for (const event of events) {
        const { type } = event as { type?: string };
        response.write(`${type === undefined ? '' : `event: ${type}\n`}data: ${JSON.stringify(event)}\n\n`);
      }
      return response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

/** The streams of the providers, as their documentation has them. */
const STREAMS: Record<ProviderName, (chunks: readonly string[]) => object[]> = {
  gemini: (chunks) =>
    chunks.map((text, index) => ({
      candidates: [
        {
          content: { role: 'model', parts: [{ text }] },
          ...(index === chunks.length - 1 && { finishReason: 'STOP' }),
          index: 0,
        },
      ],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      modelVersion: 'gemini-flash-latest',
    })),
  openai: (chunks) => {
    const item = { id: 'msg_1', type: 'message', status: 'in_progress', role: 'assistant', content: [] };
    const response = {
      id: 'resp_1',
      object: 'response',
      created_at: 1,
      model: 'gpt',
      status: 'in_progress',
      output: [],
      usage: null,
    };
    const usage = {
      input_tokens: 1,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 2,
    };
    const content = [{ type: 'output_text', text: chunks.join(''), annotations: [] }];
    return [
      { type: 'response.created', response },
      { type: 'response.output_item.added', output_index: 0, item },
      ...chunks.map((delta) => ({
        type: 'response.output_text.delta',
        item_id: 'msg_1',
        output_index: 0,
        content_index: 0,
        delta,
        logprobs: [],
      })),
      { type: 'response.output_item.done', output_index: 0, item: { ...item, status: 'completed', content } },
      { type: 'response.completed', response: { ...response, status: 'completed', usage } },
    ];
  },
  anthropic: (chunks) => [
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    },
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 'toolu_1', name: 'json', input: {} },
    },
    ...chunks.map((partial) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: partial },
    })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ],
};

const KEYS: Record<ProviderName, string> = {
  gemini: 'GEMINI_API_KEY',
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
};
const NAMES = Object.keys(KEYS) as ProviderName[];
const agent = (_query: string): string => 'Revenue is up';

describe.each(NAMES)('%s', (name) => {
  test('shapes over its real HTTP, and its components stream', async () => {
    vi.stubEnv(KEYS[name], 'secret-key');
    reply = () => ({ events: STREAMS[name](CHUNKS) });
    const events = [];
    for await (const event of ai(agent, { llm: name, baseURL })('Show sales')) events.push(event);
    expect(events.at(-1)).toEqual({ type: 'component', data: { components: [CARD] } });
    expect(events.filter(({ type }) => type === 'component_delta').length).toBeGreaterThan(1);
    expect(received).toHaveLength(1);
    expect(JSON.stringify(received[0]?.headers)).toContain('secret-key');
    const sent = JSON.stringify(received[0]?.body);
    for (const part of ['Show sales', 'Revenue is up', 'component_card']) expect(sent).toContain(part);
  });

  test('repairs once, then leaves the text as Markdown', async () => {
    vi.stubEnv(KEYS[name], 'secret-key');
    reply = () => ({ events: STREAMS[name](['{"components":[{"type":"cards"}]}']) });
    const errors: unknown[] = [];
    const [, components] = await ai(agent, { llm: name, baseURL, onError: (error) => errors.push(error) })('q');
    expect(components).toEqual([{ type: 'markdown', content: 'Revenue is up' }]);
    expect(received).toHaveLength(2);
    expect(JSON.stringify(received[1]?.body)).toContain('there is no component');
    expect(errors).toHaveLength(1);
  });

  test('an error of the provider leaves the text as Markdown', async () => {
    vi.stubEnv(KEYS[name], 'wrong-key');
    reply = () => ({
      status: 401,
      events: [{ error: { type: 'x', code: 401, message: 'bad key', status: 'UNAUTHENTICATED' } }],
    });
    const errors: unknown[] = [];
    const [, components] = await ai(agent, { llm: name, baseURL, onError: (error) => errors.push(error) })('q');
    expect(components).toEqual([{ type: 'markdown', content: 'Revenue is up' }]);
    expect(errors).toMatchObject([{ statusCode: 401 }]);
  });

  test('its address may come from the environment, and its model is a setting', async () => {
    vi.stubEnv(KEYS[name], 'secret-key');
    vi.stubEnv(`${name.toUpperCase()}_BASE_URL`, baseURL);
    reply = () => ({ events: STREAMS[name](CHUNKS) });
    await ai(agent, { llm: name, model: 'my-model' })('q');
    expect(`${received[0]?.url} ${received[0]?.body.model}`).toContain('my-model');
  });

  test('a missing key is an error that names the variable, before anything is called', () => {
    let calls = 0;
    const called = (_query: string): string => {
      calls += 1;
      return '';
    };
    expect(() => ai(called, { llm: name, baseURL })).toThrow(`No API key for ${name}: set ${KEYS[name]}`);
    expect(calls).toBe(0);
    expect(received).toEqual([]);
  });
});

test('a package that is not installed is named, and any other failure stays what it is', async () => {
  const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  await expect(load('@ai-sdk/google', () => Promise.reject(missing))).rejects.toMatchObject({
    code: 'model_misconfigured',
    message: expect.stringContaining('npm install ai @ai-sdk/google'),
  });
  await expect(load('ai', () => Promise.reject(missing))).rejects.toThrow(/npm install ai$/);
  await expect(load('ai', () => Promise.reject(new Error('other')))).rejects.toThrow('other');
});

test('a provider that nobody knows is refused with those that there are', () => {
  expect(() => prepareModel('llama' as ProviderName)).toThrow('No provider "llama". Use gemini, openai, anthropic');
});
