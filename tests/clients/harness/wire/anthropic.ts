import { type Content, type Said, type Step, sendEvents, sendJson, type Wire } from './wire.ts';

interface Body {
  model: string;
  stream?: boolean;
  tools?: readonly object[];
  messages: readonly { role: 'user' | 'assistant'; content: string | readonly Block[] }[];
}

type Block =
  | { type: 'text'; text: string }
  | { type: 'tool_result'; tool_use_id: string; is_error?: boolean; content?: Content }
  | { type: 'other' };

/** The Messages API of Anthropic, which Claude Code speaks. */
export const anthropic: Wire = {
  path: /\/v1\/messages$/,
  read: (body) => {
    const { messages, tools = [] } = body as Body;
    return { said: messages.flatMap(toSaid), hasTools: tools.length > 0 };
  },
  send: (response, { id, steps }, body) => {
    const { model, stream } = body as Body;
    const content = steps.map((step, index) => toBlock(step, `${id}_${index}`));
    const reason = steps.some((step) => 'tool' in step) ? 'tool_use' : 'end_turn';
    // The client takes messages of one id for parts of one message.
    const message = {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model,
      content,
      stop_reason: reason,
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 10 },
    };
    if (stream !== true) return sendJson(response, message);
    const events = [
      { type: 'message_start', message: { ...message, content: [] } },
      ...content.flatMap(toBlockEvents),
      {
        type: 'message_delta',
        delta: { stop_reason: reason, stop_sequence: null },
        usage: { output_tokens: 10 },
      },
      { type: 'message_stop' },
    ];
    sendEvents(
      response,
      events.map((data) => ({ name: data.type, data })),
    );
  },
};

function toSaid({ role, content }: Body['messages'][number]): Said[] {
  const blocks: readonly Block[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const results = blocks.flatMap((block): Said[] =>
    block.type === 'tool_result'
      ? [{ role: 'tool', id: block.tool_use_id, text: toResultText(block.content), isError: block.is_error === true }]
      : [],
  );
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  // A message that only brings results is no word of the person.
  return role === 'assistant' || texts.length > 0 ? [...results, { role, text: texts.join('\n') }] : results;
}

function toResultText(content: Content): string {
  return typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('');
}

type OutBlock = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: object | string };

function toBlock(step: Step, id: string): OutBlock {
  return 'text' in step
    ? { type: 'text', text: step.text }
    : { type: 'tool_use', id, name: step.tool, input: step.input };
}

function toBlockEvents(block: OutBlock, index: number): { type: string }[] {
  const isText = block.type === 'text';
  const started = isText ? { ...block, text: '' } : { ...block, input: {} };
  const delta = isText
    ? { type: 'text_delta', text: block.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
  return [
    Object.assign({ type: 'content_block_start' }, { index, content_block: started }),
    Object.assign({ type: 'content_block_delta' }, { index, delta }),
    Object.assign({ type: 'content_block_stop' }, { index }),
  ];
}
