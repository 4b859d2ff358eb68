import { type Content, type Said, type Step, sendEvents, sendJson, toText, type Wire } from './wire.ts';

interface Body {
  model: string;
  stream?: boolean;
  tools?: readonly object[];
  messages: readonly {
    role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
    content?: Content;
    tool_call_id?: string;
  }[];
}

/** The Chat Completions API of OpenAI, which opencode, Qwen Code, Copilot and pi speak. */
export const openaiChat: Wire = {
  path: /\/chat\/completions$/,
  read: (body) => {
    const { messages, tools = [] } = body as Body;
    return { said: messages.map(toSaid), hasTools: tools.length > 0 };
  },
  send: (response, { id, steps }, body) => {
    const { model, stream } = body as Body;
    const content = steps.map((step) => ('text' in step ? step.text : '')).join('');
    const calls = steps
      .flatMap((step, index) => toCall(step, `${id}_${index}`))
      .map((call, index) => ({ index, ...call }));
    const reason = calls.length > 0 ? 'tool_calls' : 'stop';
    const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
    const base = { id: `chatcmpl_${id}`, created: 1, model };
    const message = { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) };
    if (stream !== true) {
      const choices = [{ index: 0, finish_reason: reason, message }];
      return sendJson(response, { ...base, object: 'chat.completion', choices, usage });
    }
    const chunk = { ...base, object: 'chat.completion.chunk' };
    sendEvents(response, [
      { data: { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] } },
      { data: { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: reason }] } },
      { data: { ...chunk, choices: [], usage } },
      { data: '[DONE]' },
    ]);
  },
};

function toSaid({ role, content, tool_call_id: id = '' }: Body['messages'][number]): Said {
  const text = toText(content);
  if (role === 'tool') return { role, id, text, isError: false };
  return { role: role === 'developer' ? 'system' : role, text };
}

function toCall(step: Step, id: string): object[] {
  if ('text' in step) return [];
  return [{ id, type: 'function', function: { name: step.tool, arguments: JSON.stringify(step.input) } }];
}
