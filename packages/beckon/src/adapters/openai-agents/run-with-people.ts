import type { AgentInputItem, RunState, RunToolApprovalItem } from '@openai/agents';
import { approve } from '../../asking/approve.ts';
import type { Beckon } from '../../core/beckon.ts';
import { type PeopleOptions, toRequestKey, toShownInput } from '../shared/people-options.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- the SDK itself writes the state of whatever agent like this
type AnyState = RunState<any, any>;

/** What a run begins with: a prompt, items, or the state of a run that was interrupted. */
export type RunInput = string | AgentInputItem[] | AnyState;

/** What the results of `run` have in common, streamed or not. */
export interface Interruptible {
  interruptions: RunToolApprovalItem[];
  state: AnyState;
}

/** How a run is kept, and how its requests are asked. */
export interface RunOptions extends PeopleOptions {
  /** Names this run for good. With it and the saved state, a restarted agent finds its requests again. */
  key: string;
  /** Keeps the state of the run as a text for `RunState.fromString`. It is called before anybody is asked. */
  save?: ((state: string) => unknown) | undefined;
}

/**
 * Runs an agent until it is done, and asks for each tool call that needs approval. A restarted agent begins with
 * `RunState.fromString(agent, saved)`, and finds the same requests or their answers. Once you have the result, forget
 * the saved state: to begin with it again runs the last calls again. Aborting `signal` takes back what waits and
 * rejects with the signal's reason.
 *
 * @example
 * const saved = await readFile('ship-v1.2.json', 'utf8').catch(() => null);
 * const input = saved === null ? 'Ship v1.2' : await RunState.fromString(agent, saved);
 * const { finalOutput } = await runWithPeople(beckon, input, (input) => run(agent, input), {
 *   key: 'ship-v1.2',
 *   save: (state) => writeFile('ship-v1.2.json', state),
 * });
 */
export async function runWithPeople<Result extends Interruptible>(
  beckon: Beckon,
  input: RunInput,
  run: (input: RunInput) => Promise<Result>,
  { save, key, ...options }: RunOptions,
): Promise<Result> {
  for (let next = input; ; ) {
    const result = await run(next);
    const { interruptions, state } = result;
    if (interruptions.length === 0) return result;
    await save?.(state.toString());
    const askFor = async (item: RunToolApprovalItem) => ({
      item,
      verdict: await approve(beckon, {
        ...options,
        key: toRequestKey('openai-agents', key, item.agent.name, toCallId(item)),
        tool: item.name ?? item.rawItem.type,
        input: toInput(item),
        description: toDescription(item),
        // The SDK runs the call that the model made, and no other.
        abilities: { editInput: false },
      }),
    });
    for (const { item, verdict } of await Promise.all(interruptions.map(askFor))) {
      if (verdict.allowed) state.approve(item);
      else state.reject(item, { message: verdict.message });
    }
    next = state;
  }
}

function toCallId({ rawItem }: RunToolApprovalItem): string {
  return 'callId' in rawItem ? rawItem.callId : (rawItem.id ?? '');
}

/** The arguments of a function call; of other calls, such as a patch, whatever says what they do. */
function toInput({ rawItem }: RunToolApprovalItem): Record<string, unknown> {
  // Calls of hosted MCP servers have their arguments among what the provider sent.
  const given: unknown =
    ('arguments' in rawItem ? rawItem.arguments : undefined) ?? rawItem.providerData?.['arguments'];
  if (typeof given === 'string') return toShownInput(parseArguments(given));
  if (rawItem.type === 'shell_call') return { ...rawItem.action };
  if (rawItem.type === 'apply_patch_call') return { ...rawItem.operation };
  if (rawItem.type === 'computer_call') return { actions: rawItem.actions ?? [rawItem.action] };
  return { ...rawItem.providerData };
}

function toDescription({ rawItem }: RunToolApprovalItem): string | undefined {
  const server: unknown = rawItem.type === 'hosted_tool_call' ? rawItem.providerData?.['server_label'] : undefined;
  return typeof server === 'string' ? `A tool of the MCP server ${server}.` : undefined;
}

function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // A person sees what the model wrote, and the SDK refuses to run it.
  }
}
