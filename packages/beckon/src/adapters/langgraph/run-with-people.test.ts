import {
  Annotation,
  END,
  entrypoint,
  interrupt,
  type LangGraphRunnableConfig,
  MemorySaver,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import { choose } from '../../asking/choose.ts';
import type { Beckon } from '../../core/beckon.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import { findPending } from '../../testing/harness/find-pending.ts';
import { PLACES, usePlace } from '../../testing/harness/use-places.ts';
import { startPerson } from '../../testing/person.ts';
import { interruptForApproval, interruptForChoice, type RunOptions, runWithPeople } from './index.ts';

const ADA = { who: 'ada', via: 'test' };
const State = Annotation.Root({
  to: Annotation<string>,
  said: Annotation<string[]>({ reducer: (before, more) => [...before, ...more], default: () => [] }),
});
type Node = (state: typeof State.State) => Promise<Partial<typeof State.State>>;
const THREAD = { configurable: { thread_id: 'mail / 7' } };

let sent: unknown[];
let saver: MemorySaver;
beforeEach(() => {
  sent = [];
  saver = new MemorySaver();
});

/** Sends a mail if somebody allows it. */
const send: Node = async ({ to }) => {
  const verdict = interruptForApproval({ tool: 'send_mail', input: { to } });
  if (!verdict.allowed) return { said: [verdict.message] };
  sent.push(verdict.input.to);
  return { said: [`Sent to ${verdict.input.to}.`] };
};

function toGraph(...nodes: Node[]) {
  const graph = new StateGraph(State);
  for (const [index, node] of nodes.entries()) {
    graph.addNode(`node${index}`, node);
    graph.addEdge(START, `node${index}` as typeof START);
    graph.addEdge(`node${index}` as typeof START, END);
  }
  return graph.compile({ checkpointer: saver });
}

function mail(beckon: Beckon, node: Node | ReturnType<typeof toGraph> = send, options: RunOptions = {}) {
  const graph = typeof node === 'function' ? toGraph(node) : node;
  return runWithPeople(beckon, graph, { to: 'everybody' }, THREAD, options);
}

describe.each(PLACES)('%s', (name) => {
  const place = usePlace(name);
  const answer = async (given: AnswerInput): Promise<void> => {
    await place.person.answer((await findPending(place.person)).id, given, ADA);
  };

  test('a graph is resumed with what a person allowed', async () => {
    const running = mail(place.agent, send, { chatId: 'ops' });
    const asked = { chatId: 'ops', request: { tool: 'send_mail', input: { to: 'everybody' } } };
    expect(await findPending(place.person)).toMatchObject(asked);
    await answer({ decision: 'allow' });
    const { said, to } = await running;
    expectTypeOf(said).toEqualTypeOf<string[]>();
    expect({ said, to }).toEqual({ said: ['Sent to everybody.'], to: 'everybody' });
    expect(sent).toEqual(['everybody']);
  });

  test('a call that a person changed runs as changed', async () => {
    const running = mail(place.agent);
    await answer({ decision: 'allow', updatedInput: { to: 'the team' } });
    expect((await running).said).toEqual(['Sent to the team.']);
    expect(sent).toEqual(['the team']);
  });

  test.each([
    ['denied', 'Denied by ada: not on a Friday'],
    ['expired', 'Nobody answered in time.'],
    ['cancelled', 'The request was cancelled without an answer: no mail today'],
    ['superseded', 'The request ended elsewhere, without an answer here: no mail today'],
  ])('a graph hears what is %s in these words', async (because, words) => {
    const running = mail(place.agent, send, because === 'expired' ? { timeout: 0.3 } : {});
    const { id } = await findPending(place.person);
    if (because === 'denied') await answer({ decision: 'deny', message: 'not on a Friday' });
    if (because === 'cancelled') await place.person.cancel({ id }, 'no mail today');
    if (because === 'superseded') await place.person.supersede(id, 'no mail today');
    expect((await running).said).toEqual([words]);
    expect(sent).toEqual([]);
  });

  test('a graph asks what to choose, and nodes that are interrupted together are asked together', async () => {
    const choosing: Node = async () => {
      const choice = interruptForChoice('Which list?', ['team', 'everybody']);
      expectTypeOf(choice.chosen).toEqualTypeOf<'team' | 'everybody' | undefined>();
      return { said: [choice.chosen ?? choice.message] };
    };
    const running = mail(place.agent, toGraph(send, choosing));
    await expect.poll(async () => (await place.person.list({ status: 'pending' })).items).toHaveLength(2);
    const person = startPerson(place.person, [
      { when: { kind: 'approval' }, answer: { decision: 'allow' } },
      { when: { kind: 'question' }, answer: { selected: ['team'] } },
    ]);
    expect((await running).said.toSorted()).toEqual(['Sent to everybody.', 'team']);
    await person.stop();
  });

  describe.each([
    ['a node', (node: Node) => toGraph(node)],
    ['a subgraph', (node: Node) => toGraph(nested(node) as never)],
    ['a graph that a node calls', (node: Node) => toGraph(async (state) => nested(node).invoke(state))],
  ])('%s', (_, build) => {
    const untilValid: Node = async () => {
      const ages: string[] = [];
      while (ages.at(-1) !== '42') ages.push(interruptForChoice('How old?', [], { ownWords: true }).text ?? '');
      return { said: ages };
    };

    test('may ask the same again, and each time is another request, also after a restart', async () => {
      const ended = mail(place.agent, build(untilValid)).catch((error: unknown) => error);
      await answer({ text: 'old' });
      await expect.poll(async () => (await place.person.list()).items).toHaveLength(2);
      const { id } = await findPending(place.person);
      await place.restart();
      expect(await ended).toMatchObject({ code: 'closed' });
      const running = mail(place.agent, build(untilValid));
      await place.person.answer(id, { text: 'very old' }, ADA);
      await expect.poll(async () => (await place.person.list()).items).toHaveLength(3);
      await answer({ text: '42' });
      expect((await running).said).toEqual(['old', 'very old', '42']);
      expect((await place.person.list()).items).toHaveLength(3);
    });
  });

  test('a restarted graph finds the answer that was given meanwhile, and asks nothing twice', async () => {
    const ended = mail(place.agent).catch((error: unknown) => error);
    const { id } = await findPending(place.person);
    await place.restart();
    expect(await ended).toMatchObject({ code: 'closed' });
    await place.person.answer(id, { decision: 'allow' }, ADA);
    expect((await mail(place.agent)).said).toEqual(['Sent to everybody.']);
    expect(sent).toEqual(['everybody']);
    expect((await place.person.list()).items).toHaveLength(1);
  });

  test('a node that failed after its answer goes on with that answer', async () => {
    let isBroken = true;
    const failing: Node = async (state) => {
      const said = await send(state);
      if (isBroken) throw new Error('the server is gone');
      return said;
    };
    const running = mail(place.agent, failing);
    await answer({ decision: 'allow' });
    await expect(running).rejects.toThrow('the server is gone');
    isBroken = false;
    expect((await mail(place.agent, failing)).said).toEqual(['Sent to everybody.']);
    expect((await place.person.list()).items).toHaveLength(1);
  });

  test('interrupts of your own are asked as you say, and are refused if you do not', async () => {
    const own: Node = async () => ({ said: [String(interrupt({ ask: 'Really?' }))] });
    await expect(mail(place.agent, own)).rejects.toMatchObject({ code: 'invalid_input' });
    const running = mail(place.agent, own, {
      ask: async (value, options) =>
        (await choose(place.agent, (value as { ask: string }).ask, ['yes', 'no'], options)).chosen,
    });
    await answer({ selected: ['yes'] });
    expect((await running).said).toEqual(['yes']);
  });

  test('a workflow of the functional API does as well', async () => {
    const workflow = entrypoint({ name: 'mail', checkpointer: saver }, async (to: string) => {
      const verdict = interruptForApproval({ tool: 'send_mail', input: { to } });
      return verdict.allowed;
    });
    const running = runWithPeople(place.agent, workflow, 'the team', THREAD);
    await answer({ decision: 'allow' });
    expect(await running).toBe(true);
  });

  test('the rest of the config reaches the graph', async () => {
    const seen: unknown[] = [];
    const graph = new StateGraph(State)
      .addNode('look', async (_, { configurable }: LangGraphRunnableConfig) => {
        seen.push(configurable?.['user']);
        return {};
      })
      .addEdge(START, 'look')
      .addEdge('look', END)
      .compile({ checkpointer: saver });
    const options = { recursionLimit: 5, tags: ['mail'] };
    await runWithPeople(place.agent, graph, {}, { configurable: { thread_id: 'mail-8', user: 'ada' }, ...options });
    await runWithPeople(
      place.agent,
      graph,
      {},
      { configurable: { thread_id: 'mail-9', user: 'ben' }, recursionLimit: 9 },
    );
    expect(seen).toEqual(['ada', 'ben']);
  });

  test('aborting takes back what waits', async () => {
    const abort = new AbortController();
    const config = { ...THREAD, signal: abort.signal };
    const running = runWithPeople(place.agent, toGraph(send), { to: 'everybody' }, config);
    const { id } = await findPending(place.person);
    abort.abort();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    expect(await place.person.get(id)).toMatchObject({ status: 'superseded' });
    expect(sent).toEqual([]);
  });
});

/** A graph without a checkpointer of its own, as subgraphs are. */
function nested(node: Node) {
  return new StateGraph(State).addNode('inner', node).addEdge(START, 'inner').addEdge('inner', END).compile();
}
