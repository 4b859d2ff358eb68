import { openBeckon } from '../../packages/beckon/src/index.ts';
import { Parent, readData, tellParent } from '../harness/parent.ts';
import { Random } from '../harness/random.ts';
import type { RacerTold, Round } from './messages.ts';

// Answers what others answer at the same moment, and waits for all of it as well.

const AT_ONCE = 4;

const { store, name, seed } = readData<{ store: string; name: string; seed: number }>();
const random = new Random(seed);
const parent = new Parent();
const tell: (told: RacerTold) => void = tellParent;
const beckon = await openBeckon({ store });
tell({ type: 'ready' });

for (;;) {
  const { ids } = await parent.next<Round>('round');
  const waits = ids.map((id) => beckon.wait(id));
  tell({ type: 'waiting' });
  await parent.next('go');
  const results: Extract<RacerTold, { type: 'done' }>['results'] = [];
  const left = random.shuffle(ids);
  await Promise.all(Array.from({ length: AT_ONCE }, () => answerAll()));
  tell({ type: 'done', results, waited: (await Promise.all(waits)).map(toWinner) });

  async function answerAll(): Promise<void> {
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      const { result, interaction } = await beckon.answer(id, { text: `from ${name}` }, { who: name, via: 'race' });
      results.push({ id, result, winner: interaction && toWinner(interaction) });
    }
  }
}

function toWinner({ id, answer, answeredBy }: Awaited<ReturnType<typeof beckon.wait>>): object {
  return { id, answer, answeredBy };
}
