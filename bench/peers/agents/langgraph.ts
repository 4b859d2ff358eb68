// `langgraph.ts FOLDER FILE shipped|synced`: a thread for each agent, whose graph interrupts with the question; the
// person's answer resumes it. `synced` writes as durably as Beckon does.
import { ANSWER, REQUEST } from '../../core/workload.ts';
import { importPeer } from './import-peer.ts';
import { serveTurns } from './turns.ts';

interface State {
  request: typeof REQUEST;
  answer?: unknown;
}
interface Config {
  configurable: { thread_id: string };
  durability?: 'sync';
}
interface Graph {
  invoke(input: unknown, config: Config): Promise<{ answer?: unknown; __interrupt__?: unknown[] }>;
}
interface Builder {
  addNode(name: string, node: (state: State) => Partial<State>): Builder;
  addEdge(from: string, to: string): Builder;
  compile(options: { checkpointer: unknown }): Graph;
}
interface LangGraph {
  Annotation: { (): unknown; Root(channels: Record<string, unknown>): unknown };
  StateGraph: new (annotation: unknown) => Builder;
  Command: new (options: { resume: unknown }) => unknown;
  interrupt(value: unknown): unknown;
}
interface Saver {
  SqliteSaver: { fromConnString(path: string): { db: { pragma(text: string): unknown } } };
}

const [, , folder = '', file = '', mode] = process.argv;
const langgraph = await importPeer<LangGraph>(folder, '@langchain/langgraph');
const { SqliteSaver } = await importPeer<Saver>(folder, '@langchain/langgraph-checkpoint-sqlite');
const { Annotation, StateGraph, Command, interrupt } = langgraph;

const checkpointer = SqliteSaver.fromConnString(file);
if (mode === 'synced') checkpointer.db.pragma('synchronous = FULL');
const graph = new StateGraph(Annotation.Root({ request: Annotation(), answer: Annotation() }))
  .addNode('ask', ({ request }) => ({ answer: interrupt(request) }))
  .addEdge('__start__', 'ask')
  .addEdge('ask', '__end__')
  .compile({ checkpointer });
let count = 0;

serveTurns({
  async roundTrip() {
    count += 1;
    const configurable = { thread_id: `thread-${count}` };
    const config: Config = { configurable, ...(mode === 'synced' && { durability: 'sync' }) };
    const asked = await graph.invoke({ request: REQUEST }, config);
    if (asked.__interrupt__ === undefined) throw new Error('Expected the graph to wait');
    const { answer } = await graph.invoke(new Command({ resume: ANSWER }), config);
    if (answer === undefined) throw new Error('Expected an answer');
  },
});
