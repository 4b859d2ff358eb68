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
    if (random.below(4) === 0) {
      await runGroup(node, agent, key);
      continue;
    }
    const task = pickTask(random);
    const { id } = await node.ask({ ...task.ask, idempotencyKey: key, chatId: `chat-${agent}` });
    tell({ type: 'asked', key, id });
    const [waited] = await Promise.all([node.wait(id), settle(node, id, task.answers)]);
    tell({ type: 'got', id, status: waited.status, answer: waited.answer });
  }
}

/** Asks several things at once, and two people answer all of them at once. */
async function runGroup(node: Beckon, agent: number, key: string): Promise<void> {
  const tasks = [pickTask(random), pickTask(random), pickTask(random)];
  const asks = tasks.map(({ ask }, step) => ({ ...ask, idempotencyKey: `${key}-${step}`, chatId: `chat-${agent}` }));
  const asked = await node.askGroup(asks);
  for (const { id, idempotencyKey = '' } of asked) tell({ type: 'asked', key: idempotencyKey, id });
  const answerAs = (who: 0 | 1) => answerGroup(node, asked, `person-${who}`, who);
  await Promise.all([answerAs(0), answerAs(1), ...asked.map(({ id }) => node.wait(id))]);
}

async function answerGroup(node: Beckon, steps: readonly Interaction[], who: string, choice: 0 | 1): Promise<void> {
  const answers = steps.map(({ id, kind }) => ({ id, answer: answersFor(kind)[choice] }));
  const { interactions } = await node.answerGroup(`${steps[0]?.groupId}`, answers, { who, via: 'crash test' });
  for (const one of interactions) {
    if (one?.status !== 'answered') throw new Error(`${one?.id} of a group that was answered is ${one?.status}`);
    tell({ type: 'answered', id: one.id, result: 'repeated', answer: one.answer, who: `${one.answeredBy?.who}` });
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
  for (const { id, kind, idempotencyKey, groupId } of left) {
    if (idempotencyKey?.startsWith(`${life}-`)) continue;
    if (groupId === undefined) await answer(node, id, answersFor(kind)[0], 'person-0');
    else await answerGroup(node, (await node.list({ groupId })).items, 'person-0', 0);
  }
}
