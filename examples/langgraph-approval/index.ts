// A LangGraph agent with a Beckon approval in its loop: a person sees every tool call first, and a refusal goes back to
// the model as the result of its call. The model is scripted, so the example needs no key.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { openBeckon } from 'beckon';

class ScriptedModel extends BaseChatModel {
  readonly #script: AIMessage[];

  constructor(script: AIMessage[]) {
    super({});
    this.#script = script;
  }

  _llmType(): string {
    return 'scripted';
  }

  async _generate(_messages: BaseMessage[]): Promise<ChatResult> {
    const message = this.#script.shift() ?? new AIMessage('');
    return { generations: [{ text: message.text, message }] };
  }
}

const folder = mkdtempSync(join(tmpdir(), 'beckon-example-'));
const beckon = await openBeckon({ store: `sqlite:${join(folder, 'beckon.db')}` });

const sent: string[] = [];
const TOOLS: Record<string, (input: Record<string, unknown>) => string> = {
  send_mail: ({ to }) => {
    sent.push(String(to));
    return `Sent to ${String(to)}.`;
  },
};

const call = (id: string, to: string): AIMessage =>
  new AIMessage({
    content: '',
    tool_calls: [{ id, name: 'send_mail', args: { to, text: 'Hello' }, type: 'tool_call' }],
  });
const model = new ScriptedModel([
  call('call_1', 'team@example.com'),
  call('call_2', 'everybody@example.com'),
  new AIMessage('The team knows.'),
]);

const graph = new StateGraph(MessagesAnnotation)
  .addNode('agent', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
  .addNode('tools', async ({ messages }) => {
    const { tool_calls: calls = [] } = messages.at(-1) as AIMessage;
    return { messages: await Promise.all(calls.map(runWithApproval)) };
  })
  .addEdge(START, 'agent')
  .addConditionalEdges('agent', ({ messages }) => ((messages.at(-1) as AIMessage).tool_calls?.length ? 'tools' : END))
  .addEdge('tools', 'agent')
  .compile();

/** Runs one tool call after a person has allowed it. */
async function runWithApproval(toolCall: NonNullable<AIMessage['tool_calls']>[number]): Promise<ToolMessage> {
  const { id = '', name, args } = toolCall;
  // The id of the call is the key: a graph resumed after a restart finds the same approval, or its answer.
  const asked = await beckon.ask({ kind: 'approval', request: { tool: name, input: args }, idempotencyKey: id });
  const outcome = await beckon.wait(asked.id);
  const isAllowed = outcome.kind === 'approval' && outcome.answer?.decision === 'allow';
  const content = isAllowed
    ? (TOOLS[name]?.(args) ?? `There is no tool ${name}.`)
    : `A person said no (${outcome.status}).`;
  return new ToolMessage({ tool_call_id: id, content });
}

// A person who allows mail to the team only. In real life they use the inbox page, a terminal or Telegram.
const leaving = new AbortController();
const person = (async () => {
  for await (const event of beckon.events({ signal: leaving.signal })) {
    if (event.type !== 'interaction.requested') continue;
    const interaction = await beckon.get(event.interactionId);
    if (interaction?.kind !== 'approval') continue;
    const decision = interaction.request.input['to'] === 'team@example.com' ? 'allow' : 'deny';
    await beckon.answer(interaction.id, { decision }, { who: 'ana', via: 'example' });
  }
})().catch((error: unknown) => {
  if (!leaving.signal.aborted) throw error;
});

const { messages } = await graph.invoke({ messages: [new HumanMessage('Say hello to the team, then to everybody.')] });
assert.deepEqual(sent, ['team@example.com']);
assert.deepEqual(
  messages.filter((message) => message instanceof ToolMessage).map((message) => message.text),
  ['Sent to team@example.com.', 'A person said no (answered).'],
);
assert.equal(messages.at(-1)?.text, 'The team knows.');

leaving.abort();
await person;
await beckon.close();
rmSync(folder, { recursive: true });
console.log(messages.at(-1)?.text);
