import type { ModelMessage, ToolApprovalRequest, ToolCallPart, ToolModelMessage } from 'ai';
import { approve } from '../../asking/approve.ts';
import type { Beckon } from '../../core/beckon.ts';
import { type PeopleOptions, toRequestKey, toShownInput } from '../shared/people-options.ts';
import { askQuestion } from './ask-person.ts';

/** What the results of `generateText`, `streamText` and an agent have in common. */
export interface Generated {
  responseMessages: ModelMessage[] | PromiseLike<ModelMessage[]>;
}

/** How a conversation is kept, and how its requests are asked. */
export interface RunOptions extends PeopleOptions {
  /** Names this conversation for good. With it and the saved messages, a restarted agent finds its requests again. */
  key: string;
  /** Keeps the conversation. It is called after each round, before anybody is asked. */
  save?: ((messages: ModelMessage[]) => unknown) | undefined;
}

type Part = Exclude<ModelMessage['content'], string>[number];
/** A call that waits for a person: for approval, or for an answer. `id` is its own, even if the model repeats one. */
type Waiting = { id: string; call: ToolCallPart; approval?: ToolApprovalRequest };
/** What people made of it: parts of a tool message, and the call as it may run. */
type Settled = { call: ToolCallPart; content: ToolModelMessage['content'] };

/**
 * Generates until nothing waits for a person: asks for each tool call that needs approval and each call of `askPerson`,
 * and goes on with the answers. A restarted agent passes the messages that it saved, and finds the same requests or
 * their answers; if the conversation has ended already, nothing is generated and there is no `result`. Aborting
 * `signal` takes back what waits and rejects with the signal's reason.
 *
 * @example
 * const { result } = await runWithPeople(beckon, messages, (messages) => agent.generate({ messages }), {
 *   key: 'ship-v1.2',
 *   save: (messages) => writeFile('ship-v1.2.json', JSON.stringify(messages)),
 * });
 */
export async function runWithPeople<Result extends Generated>(
  beckon: Beckon,
  messages: readonly ModelMessage[],
  generate: (messages: ModelMessage[]) => Result | PromiseLike<Result>,
  { save, ...options }: RunOptions,
): Promise<{ messages: ModelMessage[]; result: Result | undefined }> {
  let conversation = [...messages];
  let result: Result | undefined;
  for (;;) {
    const waiting = findWaiting(conversation);
    const hasEnded = result !== undefined || conversation.at(-1)?.role === 'assistant';
    if (waiting.length === 0 && hasEnded) return { messages: conversation, result };
    const settled = await Promise.all(waiting.map((one) => askFor(beckon, one, options)));
    if (settled.length > 0) conversation = addAnswers(conversation, waiting, settled);
    result = await generate(conversation);
    conversation = [...conversation, ...(await result.responseMessages)];
    await save?.(conversation);
  }
}

/** Reads in order: a call that has its result is done, and a later one may have the same id. */
function findWaiting(messages: readonly ModelMessage[]): Waiting[] {
  const parts = messages.flatMap(({ content }): Part[] => (typeof content === 'string' ? [] : content));
  const responses = new Set(parts.map((part) => (part.type === 'tool-approval-response' ? part.approvalId : '')));
  const waiting = new Map<string, Waiting>();
  const calls: ToolCallPart[] = [];
  for (const part of parts) {
    const same = 'toolCallId' in part ? calls.filter(({ toolCallId }) => toolCallId === part.toolCallId) : [];
    const call = same.at(-1);
    if (part.type === 'tool-result') waiting.delete(part.toolCallId);
    if (part.type === 'tool-call') calls.push(part);
    if (part.type === 'tool-call' && part.toolName === 'askPerson')
      waiting.set(part.toolCallId, { id: `${part.toolCallId} ${same.length}`, call: part });
    if (part.type === 'tool-approval-request' && call && part.isAutomatic !== true && !responses.has(part.approvalId))
      waiting.set(part.toolCallId, { id: part.approvalId, call, approval: part });
  }
  return [...waiting.values()];
}

async function askFor(beckon: Beckon, { id, call, approval }: Waiting, { key: run, ...options }: RunOptions) {
  const { toolCallId, toolName, input, providerExecuted = false } = call;
  const key = toRequestKey('ai-sdk', run, id);
  const shared = { type: 'tool-result', toolCallId, toolName } as const;
  if (approval === undefined)
    return { call, content: [{ ...shared, output: await askQuestion(beckon, input, { ...options, key }) }] };
  const { approvalId, reason: description, signature, inputSchemaInput } = approval;
  // The SDK refuses to run a call that differs from what it signed, transformed or left to the provider.
  const editInput = signature === undefined && inputSchemaInput === undefined && !providerExecuted;
  const shown = { tool: toolName, input: toShownInput(input), description, abilities: { editInput } };
  const verdict = await approve(beckon, { ...options, ...shown, key });
  const response = { type: 'tool-approval-response', approvalId, approved: verdict.allowed, providerExecuted } as const;
  if (verdict.allowed)
    return { call: verdict.isEdited ? { ...call, input: verdict.input } : call, content: [response] };
  const content: ToolModelMessage['content'] = [{ ...response, reason: verdict.message }];
  // Without a result of ours the SDK would make this a denial, and nobody denied it.
  if (verdict.because !== 'denied' && !providerExecuted)
    content.push({ ...shared, output: { type: 'error-text', value: verdict.message } });
  return { call, content };
}

/** The conversation with the answers. The SDK runs an approved call as it stands there: an edited one replaces it. */
function addAnswers(messages: ModelMessage[], waiting: Waiting[], settled: readonly Settled[]): ModelMessage[] {
  const calls = new Map(settled.map(({ call }, index) => [waiting[index]?.call, call]));
  const edited = messages.map((message): ModelMessage => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return message;
    const toEdited = (call: ToolCallPart): ToolCallPart => calls.get(call) ?? call;
    return { ...message, content: message.content.map((part) => (part.type === 'tool-call' ? toEdited(part) : part)) };
  });
  return [...edited, { role: 'tool', content: settled.flatMap(({ content }) => content) }];
}
