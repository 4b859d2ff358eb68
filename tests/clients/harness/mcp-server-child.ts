// An MCP server on stdio with two tools: `ping` answers, `elicit` asks the person for their name and tells what came of
// it.
import { createInterface } from 'node:readline';

interface Message {
  id?: number | string;
  method?: string;
  params?: { name?: string; protocolVersion?: string; arguments?: object };
  result?: object;
}

const INPUT = { type: 'object', properties: {} };
const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string', title: 'Name' }, color: { type: 'string', enum: ['red', 'blue'] } },
  required: ['name'],
};
let calls = 0;
const waiting = new Map<string, (result: object) => void>();

createInterface({ input: process.stdin }).on('line', (line) => void handle(JSON.parse(line) as Message));

async function handle({ id, method, params, result }: Message): Promise<void> {
  if (id === undefined) return;
  if (method === undefined) return waiting.get(String(id))?.(result ?? {});
  send({ id, result: await reply(method, params ?? {}) });
}

async function reply(method: string, params: NonNullable<Message['params']>): Promise<object> {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'lab', version: '1.0.0' },
      };
    case 'tools/list':
      return { tools: ['ping', 'elicit'].map((name) => ({ name, description: name, inputSchema: INPUT })) };
    case 'tools/call':
      return { content: [{ type: 'text', text: params.name === 'ping' ? 'pong' : await elicit() }] };
    default:
      return {};
  }
}

function elicit(): Promise<string> {
  calls += 1;
  const id = `elicit-${calls}`;
  send({
    id,
    method: 'elicitation/create',
    params: { mode: 'form', message: 'Need your name', requestedSchema: SCHEMA },
  });
  return new Promise((resolve) => {
    waiting.set(id, (result) => resolve(JSON.stringify(result)));
  });
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
