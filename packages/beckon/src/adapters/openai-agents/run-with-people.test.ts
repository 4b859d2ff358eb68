import { Agent, applyPatchTool, hostedMcpTool, type Model, Runner, RunState, tool, Usage } from '@openai/agents';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Beckon } from '../../core/beckon.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import { findPending } from '../../testing/harness/find-pending.ts';
import { PLACES, usePlace } from '../../testing/harness/use-places.ts';
import { startPerson } from '../../testing/person.ts';
import { type RunInput, type RunOptions, runWithPeople } from './index.ts';

type ModelResponse = Awaited<ReturnType<Model['getResponse']>>;
type Item = ModelResponse['output'][number];

const ADA = { who: 'ada', via: 'test' };
const runner = new Runner({ tracingDisabled: true });
let deployed: string[];
let saved: string;
beforeEach(() => {
  deployed = [];
  saved = '';
});

const deploy = tool({
  name: 'deploy',
  description: 'Deploys to a stage.',
  parameters: z.object({ stage: z.string() }),
  needsApproval: async (_context, { stage }) => stage !== 'preview',
  execute: ({ stage }) => {
    deployed.push(stage);
    return `Deployed to ${stage}.`;
  },
});

/** A model that makes these calls in its first turn, if any, and then says that it is done. */
class ScriptedModel implements Model {
  /** What the calls came back with, as the model read it last. */
  read: unknown[] = [];
  readonly #turns: Item[][];

  constructor(...calls: Item[]) {
    const done: Item = {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Done.' }],
    };
    this.#turns = [...(calls.length === 0 ? [] : [calls]), [done]];
  }

  async getResponse({ input }: Parameters<Model['getResponse']>[0]): Promise<ModelResponse> {
    const results = Array.isArray(input) ? input.filter((item) => item.type === 'function_call_result') : [];
    this.read = results.map(({ output }) => output);
    return { usage: new Usage(), output: this.#turns.shift() ?? [] };
  }

  getStreamedResponse(): never {
    throw new Error('This model does not stream.');
  }
}

const call = (callId: string, stage: string, args = JSON.stringify({ stage })): Item => ({
  type: 'function_call',
  callId,
  name: 'deploy',
  arguments: args,
  status: 'completed',
});
const text = (value: string): object => ({ type: 'text', text: value });

function toAgent(model: Model) {
  return new Agent({ name: 'Shipper', model, tools: [deploy] });
}

function ship(beckon: Beckon, model: Model, options: Partial<RunOptions> & { input?: RunInput } = {}) {
  const agent = toAgent(model);
  return runWithPeople(beckon, options.input ?? 'Ship v1.2', (input) => runner.run(agent, input), {
    key: 'ship',
    save: (state) => {
      saved = state;
    },
    ...options,
  });
}

describe.each(PLACES)('%s', (name) => {
  const place = usePlace(name);
  const answer = async (given: AnswerInput): Promise<void> => {
    await place.person.answer((await findPending(place.person)).id, given, ADA);
  };

  test('a call that is allowed runs once, and the state is saved before anybody is asked', async () => {
    const model = new ScriptedModel(call('call_1', 'production'), call('call_2', 'preview'));
    const running = ship(place.agent, model, { chatId: 'ops' });
    expect(await findPending(place.person)).toMatchObject({
      chatId: 'ops',
      request: { tool: 'deploy', input: { stage: 'production' }, abilities: { editInput: false } },
    });
    expect(saved).toContain('call_1');
    await answer({ decision: 'allow' });
    expect((await running).finalOutput).toBe('Done.');
    expect(deployed.toSorted()).toEqual(['preview', 'production']);
    expect(model.read).toHaveLength(2);
  });

  test('of two calls one is allowed, and a denial reaches the model with who denied it and why', async () => {
    const model = new ScriptedModel(call('call_1', 'staging'), call('call_2', 'production'));
    const isStaging = (stage: unknown): boolean => stage === 'staging';
    const person = startPerson(
      place.person,
      [
        {
          when: ({ kind, request }) => kind === 'approval' && isStaging(request.input['stage']),
          answer: { decision: 'allow' },
        },
        { answer: { decision: 'deny', message: 'not on a Friday' } },
      ],
      ADA,
    );
    await ship(place.agent, model);
    await person.stop();
    expect(deployed).toEqual(['staging']);
    expect(model.read).toEqual([text('Deployed to staging.'), text('Denied by ada: not on a Friday')]);
  });

  test.each([
    ['expired', 'Nobody answered in time.'],
    ['cancelled', 'The request was cancelled without an answer: no release today'],
    ['superseded', 'The request ended elsewhere, without an answer here: no release today'],
  ])('what is %s does not run, and the model is not told that somebody denied it', async (status, words) => {
    const model = new ScriptedModel(call('call_1', 'production'));
    const running = ship(place.agent, model, status === 'expired' ? { timeout: 0.3 } : {});
    const { id } = await findPending(place.person);
    if (status === 'cancelled') await place.person.cancel({ id }, 'no release today');
    if (status === 'superseded') await place.person.supersede(id, 'no release today');
    await running;
    expect(deployed).toEqual([]);
    expect(model.read).toEqual([text(words)]);
  });

  test('nobody can change a call, because the SDK could not run it', async () => {
    const running = ship(place.agent, new ScriptedModel(call('call_1', 'production')));
    const { id } = await findPending(place.person);
    const edited = place.person.answer(id, { decision: 'allow', updatedInput: { stage: 'staging' } }, ADA);
    await expect(edited).rejects.toMatchObject({ code: 'invalid_answer' });
    await answer({ decision: 'deny' });
    await running;
    expect(deployed).toEqual([]);
  });

  test('a patch is shown as what it changes', async () => {
    const edits: string[] = [];
    const edit = async ({ path }: { path: string }) => {
      edits.push(path);
      return { status: 'completed' as const };
    };
    const editor = { createFile: edit, updateFile: edit, deleteFile: edit };
    const operation = { type: 'delete_file' as const, path: 'notes.md' };
    const agent = new Agent({
      name: 'Patcher',
      model: new ScriptedModel({ type: 'apply_patch_call', callId: 'call_1', status: 'completed', operation }),
      tools: [applyPatchTool({ editor, needsApproval: true })],
    });
    const running = runWithPeople(place.agent, 'Clean up', (input) => runner.run(agent, input), { key: 'clean' });
    expect(await findPending(place.person)).toMatchObject({ request: { tool: 'apply_patch', input: operation } });
    await answer({ decision: 'allow' });
    await running;
    expect(edits).toEqual(['notes.md']);
  });

  test('a call of a hosted MCP server is shown with its server and its arguments', async () => {
    const providerData = {
      type: 'mcp_approval_request',
      id: 'mcpr_1',
      server_label: 'forge',
      name: 'delete_repository',
      arguments: '{"name":"shop"}',
    };
    const agent = new Agent({
      name: 'Gardener',
      model: new ScriptedModel({ type: 'hosted_tool_call', id: 'mcpr_1', name: 'mcp_approval_request', providerData }),
      tools: [hostedMcpTool({ serverLabel: 'forge', serverUrl: 'https://forge.example', requireApproval: 'always' })],
    });
    const running = runWithPeople(place.agent, 'Clean up', (input) => runner.run(agent, input), { key: 'clean' });
    expect(await findPending(place.person)).toMatchObject({
      request: { tool: 'delete_repository', input: { name: 'shop' }, description: 'A tool of the MCP server forge.' },
    });
    await answer({ decision: 'deny' });
    expect((await running).finalOutput).toBe('Done.');
  });

  test('aborting takes back what waits', async () => {
    const abort = new AbortController();
    const running = ship(place.agent, new ScriptedModel(call('call_1', 'production')), { signal: abort.signal });
    const { id } = await findPending(place.person);
    abort.abort();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    expect(await place.person.get(id)).toMatchObject({ status: 'superseded' });
    expect(deployed).toEqual([]);
  });

  test('a restarted agent finds the answer that was given meanwhile, and asks nothing twice', async () => {
    const model = new ScriptedModel(call('call_1', 'production'));
    const ended = ship(place.agent, model).catch((error: unknown) => error);
    const { id } = await findPending(place.person);
    await place.restart();
    expect(await ended).toMatchObject({ code: 'closed' });
    await place.person.answer(id, { decision: 'allow' }, ADA);
    const next = new ScriptedModel();
    const input = await RunState.fromString(toAgent(next), saved);
    expect((await ship(place.agent, next, { input })).finalOutput).toBe('Done.');
    expect(next.read).toEqual([text('Deployed to production.')]);
    expect(deployed).toEqual(['production']);
    expect((await place.person.list()).items).toHaveLength(1);
  });

  test('an answer never counts for another run, even if the model repeats the id of a call', async () => {
    const first = ship(place.agent, new ScriptedModel(call('call_1', 'production')));
    await answer({ decision: 'allow' });
    await first;
    const second = ship(place.agent, new ScriptedModel(call('call_1', 'production')), { key: 'ship again' });
    await answer({ decision: 'deny' });
    await second;
    expect(deployed).toEqual(['production']);
  });
});
