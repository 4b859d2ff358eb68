// An AI SDK agent whose tool needs a person's approval. Beckon keeps the approval on disk, shows it wherever people
// are, and returns the decision once. The model is scripted, so the example needs no key.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateText, isStepCount, jsonSchema, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { openBeckon } from 'beckon';

const folder = mkdtempSync(join(tmpdir(), 'beckon-example-'));
const beckon = await openBeckon({ store: `sqlite:${join(folder, 'beckon.db')}` });

const deployed: string[] = [];
const deploy = tool({
  description: 'Deploy a version to a stage.',
  inputSchema: jsonSchema<{ stage: string; version: string }>({
    type: 'object',
    properties: { stage: { type: 'string' }, version: { type: 'string' } },
    required: ['stage', 'version'],
  }),
  execute: async (input, { toolCallId }) => {
    // The id of the call is the key: after a restart the agent finds the same approval, or its answer.
    const { id } = await beckon.ask({
      kind: 'approval',
      request: { tool: 'deploy', input },
      idempotencyKey: toolCallId,
    });
    const { status, ...outcome } = await beckon.wait(id);
    if (outcome.kind !== 'approval' || outcome.answer?.decision !== 'allow') {
      const why = outcome.kind === 'approval' ? outcome.answer?.message : undefined;
      return `Not deployed: ${why ?? status}.`;
    }
    deployed.push(`${input.version} to ${input.stage}`);
    return `Deployed ${input.version} to ${input.stage}.`;
  },
});

// A person who allows staging but not production. In real life they use the inbox page, a terminal or Telegram.
const leaving = new AbortController();
const person = (async () => {
  for await (const event of beckon.events({ signal: leaving.signal })) {
    if (event.type !== 'interaction.requested') continue;
    const interaction = await beckon.get(event.interactionId);
    if (interaction?.kind !== 'approval') continue;
    const isFine = interaction.request.input['stage'] === 'staging';
    const answer = isFine ? { decision: 'allow' as const } : { decision: 'deny' as const, message: 'not on a Friday' };
    await beckon.answer(interaction.id, answer, { who: 'ana', via: 'example' });
  }
})().catch((error: unknown) => {
  if (!leaving.signal.aborted) throw error;
});

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const call = (id: string, stage: string) => ({
  content: [
    {
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: 'deploy',
      input: JSON.stringify({ stage, version: 'v1.2' }),
    },
  ],
  finishReason: { unified: 'tool-calls' as const, raw: undefined },
  usage,
  warnings: [],
});
const model = new MockLanguageModelV4({
  doGenerate: [
    call('call_1', 'staging'),
    call('call_2', 'production'),
    {
      content: [{ type: 'text', text: 'Staging has it; production has to wait.' }],
      finishReason: { unified: 'stop', raw: undefined },
      usage,
      warnings: [],
    },
  ],
});

const { text, steps } = await generateText({ model, tools: { deploy }, prompt: 'Ship v1.2', stopWhen: isStepCount(5) });
const results = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => String(output)));
assert.deepEqual(deployed, ['v1.2 to staging']);
assert.deepEqual(results, ['Deployed v1.2 to staging.', 'Not deployed: not on a Friday.']);
assert.equal(text, 'Staging has it; production has to wait.');

leaving.abort();
await person;
await beckon.close();
rmSync(folder, { recursive: true });
console.log(text);
