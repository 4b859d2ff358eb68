import { type Beckon, type Interaction, openBeckon } from '../../packages/beckon/src/index.ts';
import { hearParent, readData, tellParent } from '../harness/parent.ts';
import { Random } from '../harness/random.ts';
import { answersFor, pickTask, type Told } from './work.ts';

// Asks and answers as fast as it can until it is killed.

const AGENTS = 64;

const { store, seed, life } = readData<{ store: string; seed: number; life: number }>();
const random = new Random(seed);
const parent = hearParent<{ type: 'go' }>();
const tell: (told: Told) => void = tellParent;

tell({ type: 'ready' });
await parent.take('go');
const beckon = await openBeckon({ store });
tell({ type: 'open' });
await Promise.all([answerLeftovers(beckon), ...Array.from({ length: AGENTS }, (_, agent) => runAgent(beckon, agent))]);

async function runAgent(node: Beckon, agent: number): Promise<never> {
  for (let turn = 0; ; turn += 1) {
    const key = `${life}-${agent}-${turn}`;
    const task = pickTask(random);
    const { id } = await node.ask({ ...task.ask, idempotencyKey: key, chatId: `chat-${agent}` });
    tell({ type: 'asked', key, id });
    const [waited] = await Promise.all([node.wait(id), settle(node, id, task.answers)]);
    tell({ type: 'got', id, status: waited.status, answer: waited.answer });
  }
}

/** Two people answer at once; now and then the agent takes its question back meanwhile. */
async function settle(node: Beckon, id: string, answers: ReturnType<typeof answersFor>): Promise<void> {
  const attempts = [0, 1].map((who) => () => answer(node, id, answers[who as 0 | 1], `person-${who}`));
  if (random.below(10) === 0) attempts.push(() => cancel(node, id));
  if (random.below(10) === 0) attempts.push(() => supersede(node, id));
  await Promise.all(random.shuffle(attempts).map((attempt) => attempt()));
}

async function answer(
  node: Beckon,
  id: string,
  sent: ReturnType<typeof answersFor>[number],
  who: string,
): Promise<void> {
  const { result, interaction } = await node.answer(id, sent, { who, via: 'crash test' });
  tell({ type: 'answered', id, result, answer: interaction?.answer, who: interaction?.answeredBy?.who ?? '' });
}

async function cancel(node: Beckon, id: string): Promise<void> {
  if ((await node.cancel({ id })).length === 1) tell({ type: 'ended', id, status: 'cancelled' });
}

async function supersede(node: Beckon, id: string): Promise<void> {
  if (await node.supersede(id)) tell({ type: 'ended', id, status: 'superseded' });
}

/** What earlier lives left open is answered by this one. */
async function answerLeftovers(node: Beckon): Promise<void> {
  const left: Interaction[] = (await node.list({ status: 'pending', limit: 200 })).items;
  for (const { id, kind, idempotencyKey } of left) {
    if (!idempotencyKey?.startsWith(`${life}-`)) await answer(node, id, answersFor(kind)[0], 'person-0');
  }
}
