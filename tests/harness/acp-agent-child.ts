import { createInterface } from 'node:readline';

/*
 * A small agent that speaks the Agent Client Protocol on stdio, for tests of what surrounds an agent. Its prompt says
 * what it does: "ask" asks for a permission and says what it got, "exit N" ends, "refuse" refuses. The
 * notification "test/die" kills it.
 */

interface Message {
  id?: number;
  method?: string;
  params?: { sessionId?: string; prompt?: { text: string }[] };
  result?: unknown;
}

const OPTIONS = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];
let prompt: number | undefined;

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line) as Message;
  switch (message.method) {
    case 'initialize':
      return send({
        id: message.id,
        result: { protocolVersion: 1, agentInfo: { name: 'small', title: 'Small agent' } },
      });
    case 'session/new':
      return send({ id: message.id, result: { sessionId: 'ses-1' } });
    case 'session/cancel':
      return send({ id: prompt, result: { stopReason: 'cancelled' } });
    case 'session/prompt':
      prompt = message.id;
      return work(message.params?.prompt?.[0]?.text ?? '');
    case 'test/die':
      process.kill(process.pid, 'SIGKILL');
      return undefined;
    case undefined:
      if (message.id !== 7) return undefined;
      say(JSON.stringify(message.result));
      return send({ id: prompt, result: { stopReason: 'end_turn' } });
    default:
      return send({ id: message.id, error: { code: -32_601, message: 'Method not found' } });
  }
});

function work(text: string): void {
  const [, code] = /^exit (\d+)$/.exec(text) ?? [];
  if (code !== undefined) process.exit(Number(code));
  if (text === 'refuse') return send({ id: prompt, result: { stopReason: 'refusal' } });
  const toolCall = { toolCallId: 'call-1', title: 'make', kind: 'execute', rawInput: { command: 'make' } };
  send({
    method: 'session/update',
    params: { sessionId: 'ses-1', update: { sessionUpdate: 'tool_call', ...toolCall } },
  });
  const params = { sessionId: 'ses-1', toolCall, options: OPTIONS };
  return send({ id: 7, method: 'session/request_permission', params });
}

function say(text: string): void {
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
  send({ method: 'session/update', params: { sessionId: 'ses-1', update } });
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
