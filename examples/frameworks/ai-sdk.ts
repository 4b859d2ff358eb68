// An agent of the AI SDK. Its tool `release` needs a person's approval, and it asks a person who tells the team. The
// model is scripted: it makes its calls, reads what became of them, and repeats that.
import { type ModelMessage, ToolLoopAgent, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { openBeckon } from 'beckon';
import { askPerson, runWithPeople } from 'beckon/ai-sdk';
import { z } from 'zod';
import { keep, readKept } from './keep.ts';
import { folder, release, STAGES, timeout } from './release.ts';

const calls = [
  ...STAGES.map((stage) => ({ toolName: 'release', input: { stage } })),
  { toolName: 'askPerson', input: { question: 'Who tells the team?', options: [{ label: 'Ana' }, { label: 'Ben' }] } },
].map((call, index) => ({
  type: 'tool-call' as const,
  toolCallId: `call_${index}`,
  toolName: call.toolName,
  input: JSON.stringify(call.input),
}));
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    const results = prompt
      .flatMap((message) => (message.role === 'tool' ? message.content : []))
      .filter((part) => part.type === 'tool-result')
      .toSorted((one, other) => one.toolCallId.localeCompare(other.toolCallId));
    const read = results.map(({ output }) => {
      if (output.type === 'execution-denied') return output.reason;
      return output.type === 'text' || output.type === 'error-text' ? output.value : output.type;
    });
    const isDone = read.length > 0;
    return {
      content: isDone ? [{ type: 'text', text: read.join('\n') }] : calls,
      finishReason: { unified: isDone ? 'stop' : 'tool-calls', raw: undefined },
      usage,
      warnings: [],
    };
  },
});

const agent = new ToolLoopAgent({
  model,
  tools: {
    release: tool({ inputSchema: z.object({ stage: z.string() }), execute: ({ stage }) => release(stage) }),
    askPerson,
  },
  toolApproval: { release: 'user-approval' },
});

const beckon = await openBeckon({ store: `sqlite:${folder}/beckon.db` });
const file = `${folder}/conversation.json`;
const saved = readKept(file);
const messages: ModelMessage[] = saved === null ? [{ role: 'user', content: 'Ship v1.2' }] : JSON.parse(String(saved));
const { result } = await runWithPeople(beckon, messages, (messages) => agent.generate({ messages }), {
  key: 'ship-v1.2',
  timeout,
  save: (messages) => keep(file, JSON.stringify(messages)),
});
console.log(result?.text);
await beckon.close();
