import { type AnswerResult, openBeckon } from '../../packages/beckon/src/index.ts';
import { hearParent, readData, tellParent } from '../harness/parent.ts';
import { Random } from '../harness/random.ts';
import { type RacerTold, type Round, toWinner, type Winner } from './messages.ts';

// Answers what others answer at the same moment, and waits for all of it as well.

const AT_ONCE = 4;

const { store, name, seed } = readData<{ store: string; name: string; seed: number }>();
const random = new Random(seed);
const parent = hearParent<Round | { type: 'go' }>();
const tell: (told: RacerTold) => void = tellParent;
const beckon = await openBeckon({ store });
tell({ type: 'ready' });

for (;;) {
  const { ids } = await parent.take('round');
  const waits = ids.map((id) => beckon.wait(id));
  tell({ type: 'waiting' });
  await parent.take('go');
  const results: AnswerResult[] = [];
  const left = random.shuffle([...ids.keys()]);
  await Promise.all(Array.from({ length: AT_ONCE }, () => answerAll()));
  const waited = (await Promise.all(waits)).map(toWinner);
  tell({ type: 'done', results: results.map(toResult), waited });

  async function answerAll(): Promise<void> {
    for (let index = left.pop(); index !== undefined; index = left.pop()) {
      results[index] = await beckon.answer(ids[index]!, { text: `from ${name}` }, { who: name, via: 'race' });
    }
  }
}

function toResult({ result, interaction }: AnswerResult): { result: string; winner: Winner | null } {
  return { result, winner: interaction && toWinner(interaction) };
}
