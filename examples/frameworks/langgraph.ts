// A LangGraph graph whose node `release` runs once for each stage, and is interrupted until a person has decided.
// What became of each is printed in the end.
import { Annotation, END, Send, START, StateGraph } from '@langchain/langgraph';
import { openBeckon } from 'beckon';
import { interruptForApproval, runWithPeople } from 'beckon/langgraph';
import { FileSaver } from './file-saver.ts';
import { folder, release, STAGES, timeout } from './release.ts';

const State = Annotation.Root({
  said: Annotation<string[]>({ reducer: (before, more) => [...before, ...more], default: () => [] }),
});

const graph = new StateGraph(State)
  .addNode('release', async ({ stage }: { stage: string }) => {
    const verdict = interruptForApproval({ tool: 'release', input: { stage } });
    return { said: [verdict.allowed ? release(verdict.input.stage) : verdict.message] };
  })
  .addConditionalEdges(START, () => STAGES.map((stage) => new Send('release', { stage })))
  .addEdge('release', END)
  .compile({ checkpointer: new FileSaver(`${folder}/checkpoints`) });

const beckon = await openBeckon({ store: `sqlite:${folder}/beckon.db` });
const thread = { configurable: { thread_id: 'ship-v1.2' } };
const { said } = await runWithPeople(beckon, graph, {}, thread, { timeout });
console.log(said.join('\n'));
await beckon.close();
