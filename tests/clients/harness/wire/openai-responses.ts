import { type Content, type Said, type Step, sendEvents, sendJson, toText, type Wire } from './wire.ts';

interface Body {
  model: string;
  stream?: boolean;
  tools?: readonly Tool[];
  input: readonly Item[];
}

interface Item {
  type?: string;
  role?: 'user' | 'assistant' | 'system' | 'developer';
  content?: Content;
  call_id?: string;
  output?: Content;
  tools?: readonly Tool[];
}

interface Tool {
  name?: string;
  /** Those of a namespace. */
  tools?: readonly Tool[];
}

/** Codex names sessions in another session, which has tools, but none that runs commands. */
const COMMANDS = ['exec_command', 'exec', 'bash'];

/**
 * The Responses API of OpenAI, which Codex speaks. Today's models of Codex get their tools in an item
 * `additional_tools`, with one tool `exec` that takes a program.
 */
export const openaiResponses: Wire = {
  path: /\/responses$/,
  read: (body) => {
    const { input, tools = [] } = body as Body;
    const all = [...tools, ...input.flatMap((item) => item.tools ?? [])];
    const hasTools = all.some(runsCommands);
    return { said: joinTurns(input.flatMap(toSaid)), hasTools };
  },
  send: (response, { id, steps }, body) => {
    const { model, stream } = body as Body;
    const output = steps.map((step, index) => toItem(step, `${id}_${index}`));
    const usage = {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 20,
    };
    const whole = { id: `resp_${id}`, object: 'response', created_at: 1, status: 'completed', model, output, usage };
    if (stream !== true) return sendJson(response, whole);
    const events = [
      { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
      ...output.flatMap((item, index) => [
        { type: 'response.output_item.added', output_index: index, item },
        { type: 'response.output_item.done', output_index: index, item },
      ]),
      { type: 'response.completed', response: whole },
    ];
    sendEvents(
      response,
      events.map((data, index) => ({ name: data.type, data: { ...data, sequence_number: index } })),
    );
  },
};

function toSaid(item: Item): Said[] {
  const { type = 'message', role } = item;
  if (type.endsWith('_output'))
    return [{ role: 'tool', id: item.call_id ?? '', text: toText(item.output), isError: false }];
  if (type === 'reasoning' || type.endsWith('_call')) return [{ role: 'assistant', text: '' }];
  if (type !== 'message' || role === undefined) return [];
  return [{ role: role === 'developer' ? 'system' : role, text: toText(item.content) }];
}

/** What the model did in one turn is several items. */
function joinTurns(said: readonly Said[]): Said[] {
  return said.filter(({ role }, index) => role !== 'assistant' || said[index - 1]?.role !== 'assistant');
}

function toItem(step: Step, id: string): object {
  const status = 'completed';
  if ('text' in step) {
    const content = [{ type: 'output_text', text: step.text, annotations: [] }];
    return { type: 'message', id: `msg_${id}`, status, role: 'assistant', content };
  }
  const { tool: name, input, namespace } = step;
  const call = { status, call_id: id, name, ...(namespace !== undefined && { namespace }) };
  return typeof input === 'string'
    ? { type: 'custom_tool_call', id: `ctc_${id}`, ...call, input }
    : { type: 'function_call', id: `fc_${id}`, ...call, arguments: JSON.stringify(input) };
}

function runsCommands({ name = '', tools = [] }: Tool): boolean {
  return COMMANDS.includes(name) || tools.some(runsCommands);
}
