// An agent of the OpenAI Agents SDK. Its tool `release` needs a person's approval. The model is scripted: it makes its
// calls, reads what became of them, and repeats that.
import { rmSync } from 'node:fs';
import { Agent, type Model, RunState, run, setTracingDisabled, tool, Usage } from '@openai/agents';
import { openBeckon } from 'beckon';
import { runWithPeople } from 'beckon/openai-agents';
import { z } from 'zod';
import { keep, readKept } from './keep.ts';
import { folder, release, STAGES, timeout } from './release.ts';

type Response = Awaited<ReturnType<Model['getResponse']>>;

class ScriptedModel implements Model {
  async getResponse({ input }: Parameters<Model['getResponse']>[0]): Promise<Response> {
    const read = (typeof input === 'string' ? [] : input).flatMap((item) =>
      item.type === 'function_call_result' && typeof item.output === 'object' && 'text' in item.output
        ? item.output.text
        : [],
    );
    return { usage: new Usage(), output: read.length > 0 ? [say(read.join('\n'))] : STAGES.map(call) };
  }

  getStreamedResponse(): never {
    throw new Error('This model does not stream.');
  }
}

function call(stage: string): Response['output'][number] {
  return { type: 'function_call', callId: `call_${stage}`, name: 'release', arguments: JSON.stringify({ stage }) };
}

function say(text: string): Response['output'][number] {
  return { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] };
}

setTracingDisabled(true);
const agent = new Agent({
  name: 'Releaser',
  model: new ScriptedModel(),
  tools: [
    tool({
      name: 'release',
      description: 'Releases to a stage.',
      parameters: z.object({ stage: z.string() }),
      needsApproval: true,
      execute: ({ stage }) => release(stage),
    }),
  ],
});

const beckon = await openBeckon({ store: `sqlite:${folder}/beckon.db` });
const file = `${folder}/run.json`;
const saved = readKept(file);
const input = saved === null ? 'Ship v1.2' : await RunState.fromString(agent, String(saved));
const { finalOutput } = await runWithPeople(beckon, input, (input) => run(agent, input), {
  key: 'ship-v1.2',
  timeout,
  save: (state) => keep(file, state),
});
console.log(finalOutput);
rmSync(file);
await beckon.close();
