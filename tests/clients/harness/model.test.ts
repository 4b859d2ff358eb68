import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ScriptedModel } from './model.ts';

const TOOLS = [{ name: 'bash' }];
const PROMPT = 'Do it. SCENARIO:twice';
const INPUT = { command: 'echo hi' };

/** What a client says in each protocol: at first, and after the first call, whose result is `hi`. */
const WIRES = [
  {
    wire: 'Anthropic Messages',
    path: '/v1/messages',
    first: { model: 'm', tools: TOOLS, messages: [{ role: 'user', content: PROMPT }] },
    second: [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_twice_0_0', name: 'bash', input: INPUT }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_twice_0_0', content: 'hi' }] },
    ],
    list: 'messages',
  },
  {
    wire: 'OpenAI Chat',
    path: '/v1/chat/completions',
    first: { model: 'm', tools: TOOLS, messages: [{ role: 'user', content: [{ type: 'text', text: PROMPT }] }] },
    second: [
      { role: 'assistant', content: null, tool_calls: [{ id: 'toolu_twice_0_0' }] },
      { role: 'tool', tool_call_id: 'toolu_twice_0_0', content: 'hi' },
    ],
    list: 'messages',
  },
  {
    wire: 'OpenAI Responses',
    path: '/v1/responses',
    first: {
      model: 'm',
      tools: TOOLS,
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: PROMPT }] }],
    },
    second: [
      { type: 'reasoning' },
      { type: 'function_call', call_id: 'toolu_twice_0_0', name: 'bash' },
      { type: 'function_call_output', call_id: 'toolu_twice_0_0', output: 'hi' },
    ],
    list: 'input',
  },
  {
    wire: 'OpenAI Responses in code mode',
    path: '/v1/responses',
    first: {
      model: 'm',
      input: [
        { type: 'additional_tools', tools: TOOLS },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: PROMPT }] },
      ],
    },
    second: [
      { type: 'custom_tool_call', call_id: 'toolu_twice_0_0', name: 'exec' },
      { type: 'custom_tool_call_output', call_id: 'toolu_twice_0_0', output: [{ type: 'input_text', text: 'hi' }] },
    ],
    list: 'input',
  },
  {
    wire: 'Gemini',
    path: '/v1beta/models/m:generateContent',
    first: { tools: TOOLS, contents: [{ role: 'user', parts: [{ text: PROMPT }] }] },
    second: [
      { role: 'model', parts: [{ functionCall: { id: 'toolu_twice_0_0', name: 'bash', args: INPUT } }] },
      {
        role: 'user',
        parts: [{ functionResponse: { id: 'toolu_twice_0_0', name: 'bash', response: { output: 'hi' } } }],
      },
    ],
    list: 'contents',
  },
];

describe.each(WIRES)('the scripted model in $wire', ({ path, first, second, list }) => {
  const model = new ScriptedModel();
  let url: string;

  beforeAll(async () => {
    url = `http://127.0.0.1:${await model.listen()}`;
    model.script('twice', [[{ tool: 'bash', input: INPUT }], [{ text: 'Nearly.' }]]);
  });
  afterAll(() => model.close());

  const before = (first as Record<string, unknown>)[list] as object[];

  test('calls the tool of the first turn, with an id that comes back with its result', async () => {
    const reply = await say(first);
    expect(reply).toContain('toolu_twice_0_0');
    expect(reply).toMatch(/echo hi/);
  });

  test('goes on with the next turn, and knows the result', async () => {
    expect(await say({ ...first, [list]: [...before, ...second] })).toContain('Nearly.');
    expect(model.results('twice')).toEqual([{ id: 'toolu_twice_0_0', text: 'hi', isError: false }]);
    expect(model.heard('twice')).toEqual(['hi']);
  });

  test('streams the same call', async () => {
    const streaming = path.replace(':generate', ':streamGenerate');
    const reply = await say({ ...first, stream: true }, streaming);
    expect(reply).toMatch(/^(event: .*\n)?data: /);
    expect(reply).toContain('toolu_twice_0_0');
  });

  test('repeats the last result when the script is over', async () => {
    model.script('twice', [[{ tool: 'bash', input: INPUT }]]);
    expect(await say({ ...first, [list]: [...before, ...second] })).toContain('FINAL[hi]');
  });

  test('takes a request without tools for one on the side', async () => {
    const { tools: _tools, ...body } = { tools: TOOLS, ...first };
    const plain = before.filter((item) => !('tools' in item));
    expect(await say({ ...body, [list]: plain })).toContain('side');
  });

  async function say(body: object, at = path): Promise<string> {
    const response = await fetch(`${url}${at}`, { method: 'POST', body: JSON.stringify(body) });
    return response.text();
  }
});
