import {
  type BaseCheckpointSaver,
  Command,
  INTERRUPT,
  type Interrupt,
  isInterrupted,
  type LangGraphRunnableConfig,
  type StateSnapshot,
} from '@langchain/langgraph';
import type { Beckon } from '../../core/beckon.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { type PeopleOptions, toRequestKey } from '../shared/people-options.ts';
import { askInterrupt } from './interrupts.ts';

/** A compiled graph, or a workflow of the functional API. */
export interface Graph<Input, Output> {
  invoke(input: Input | Command | null, config: GraphConfig): Promise<Output>;
  getState(config: GraphConfig): Promise<StateSnapshot>;
  checkpointer?: BaseCheckpointSaver | boolean | undefined;
}

/** LangGraph's own config. Aborting its `signal` takes back what waits. */
export interface GraphConfig extends LangGraphRunnableConfig {
  configurable: { thread_id: string; [name: string]: unknown };
}

/** How the requests of a graph are asked. */
export interface RunOptions extends Omit<PeopleOptions, 'signal'> {
  /**
   * Asks what interrupts of your own want to know, and resolves with what they are resumed with. Pass `options` to
   * `approve`, `choose` and the like: their `key` belongs to this interrupt.
   */
  ask?: ((value: unknown, options: PeopleOptions & { key: string }) => Promise<unknown>) | undefined;
}

/**
 * Runs a graph until nothing interrupts it: asks people what each interrupt wants to know, and resumes with the
 * answers. If the thread is unfinished, because its process died or a node failed, it goes on where it was, and `input`
 * is not used; it finds the same requests, or their answers. The graph needs a checkpointer that outlives the process.
 *
 * @example
 * const state = await runWithPeople(beckon, graph, { to: 'everybody' }, { configurable: { thread_id: 'mail-7' } });
 */
export async function runWithPeople<Input, Output>(
  beckon: Beckon,
  graph: Graph<Input, Output>,
  input: Input,
  config: GraphConfig,
  { ask = (value, options) => askInterrupt(beckon, value, options), ...options }: RunOptions = {},
): Promise<Output> {
  const { tasks } = await graph.getState(config);
  let state = await graph.invoke(tasks.length > 0 ? null : input, config);
  while (isInterrupted(state)) {
    const count = await countResumes(graph, await graph.getState(config));
    const askFor = async ({ id = '', value }: Interrupt): Promise<[string, unknown]> => {
      const key = toRequestKey('langgraph', config.configurable.thread_id, id, count(id));
      return [id, await ask(value, { ...options, ...(config.signal && { signal: config.signal }), key })];
    };
    const answers = await Promise.all(state[INTERRUPT].map(askFor));
    state = await graph.invoke(new Command({ resume: Object.fromEntries(answers) }), config);
  }
  return state;
}

/**
 * How often an interrupt was resumed before. All interrupts of one run of a node have the same id, and only this tells
 * them apart, in this process and in the next. The checkpointer notes it where the node ran: in a subgraph's namespace
 * if there is one, and then it is looked for in the whole thread.
 */
async function countResumes<Input, Output>(
  { checkpointer }: Graph<Input, Output>,
  { config: { configurable }, tasks }: StateSnapshot,
): Promise<(id: string) => number> {
  if (typeof checkpointer !== 'object')
    throw new BeckonError('invalid_input', 'Compile the graph with a checkpointer.');
  const thread = (checkpoint_ns?: string) => ({
    configurable: { thread_id: configurable?.['thread_id'], checkpoint_ns },
  });
  const tuples = [await checkpointer.getTuple(thread(''))];
  const ofSubgraphs = tasks.map(({ name, id }) => checkpointer.getTuple(thread(`${name}:${id}`)));
  if ((await Promise.all(ofSubgraphs)).some((tuple) => tuple !== undefined))
    for await (const tuple of checkpointer.list(thread())) tuples.push(tuple);
  const writes = tuples.map((tuple) => tuple?.pendingWrites ?? []);
  const count = (id: string, list: (typeof writes)[number]): number => {
    const isAbout = (value: unknown): boolean => [value].flat().some((one) => (one as Interrupt | null)?.id === id);
    const [task] = list.find(([, channel, value]) => channel === INTERRUPT && isAbout(value)) ?? [];
    const [, , resumed] = list.find(([owner, channel]) => owner === task && channel === '__resume__') ?? [];
    return Array.isArray(resumed) ? resumed.length : 0;
  };
  return (id) => Math.max(...writes.map((list) => count(id, list)));
}
