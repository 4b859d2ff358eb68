import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../packages/beckon/src/testing/suites/until.ts';
import { type BadLine, type Fate, openBadLine } from '../harness/bad-line.ts';
import { Random } from '../harness/random.ts';
import { repeat, soakTimeout, useSeed } from '../harness/soak.ts';
import { denial, permission, TwoMachines } from './two-machines.ts';

const LIMIT_MS = soakTimeout(240_000);
/** How many hook commands run at once. */
const AT_ONCE = 8;
const ANA = { who: 'ana', via: 'inbox' };

let machines: TwoMachines;
let lines: BadLine[];
beforeEach(async () => {
  machines = await TwoMachines.open();
  lines = [];
});
afterEach(async () => {
  await Promise.all(lines.map((line) => line.close()));
  await machines.close();
});

test.each([30, 3000])(
  'a question over a line that takes %i ms is asked once, and its answer arrives',
  { timeout: LIMIT_MS },
  async (ms) => {
    const delayed: Fate = { is: 'delayed', ms };
    const line = await open(Array.from({ length: 20 }, () => delayed));
    const run = machines.hook(line.url, permission('slow', 'ls'));
    const { id } = await machines.asked('slow');
    await until(() => expect(line.had.length).toBeGreaterThan(1));
    await machines.beckon.answer(id, { decision: 'deny', message: 'no' }, ANA);
    expect(await machines.laptop.finish(run)).toEqual({ code: 0, stdout: denial('no'), stderr: '' });
    expect((await machines.asked('slow')).id).toBe(id);
  },
);

test('questions over lines that break in every way are asked once, and each gets its own answer', {
  timeout: LIMIT_MS,
}, async () => {
  const random = new Random(useSeed());
  const rounds = Array.from({ length: repeat(24) }, (_, index) => index);
  await inParallel(rounds, async (round) => {
    const line = await open(toFates(random));
    await askAndAnswer(line, `round-${round}`, random.below(9000));
  });
  expect(await countLog()).toEqual(eachOnce(rounds.length));
});

test('questions outlast a Beckon that is killed while they wait and while they are answered', {
  timeout: LIMIT_MS,
}, async () => {
  const random = new Random(useSeed());
  const rounds = Array.from({ length: repeat(8) }, (_, index) => index);
  let isOver = false;
  const killing = (async () => {
    while (!isOver) {
      await sleep(1000 + random.below(4000));
      // Who comes back has heard that Beckon has the question. Before that, a command waits for half a minute only.
      while (!isOver && lines.some(({ had }) => had.length < 2)) await sleep(50);
      await machines.kill();
      await machines.up();
    }
  })();
  try {
    await inParallel(rounds, async (round) => {
      const line = await open([]);
      await askAndAnswer(line, `round-${round}`, 3000 + random.below(9000));
    });
  } finally {
    isOver = true;
    await killing;
  }
  expect(await countLog()).toEqual(eachOnce(rounds.length));
});

/** Asks over a line, answers after some time, and sees to it that exactly this answer comes out. */
async function askAndAnswer(line: BadLine, session: string, answerAfterMs: number): Promise<void> {
  const run = machines.hook(line.url, permission(session, `echo ${session}`));
  const { id } = await machines.asked(session);
  await sleep(answerAfterMs);
  const message = `no to ${session}`;
  await until(async () => {
    const { result } = await machines.beckon.answer(id, { decision: 'deny', message }, ANA);
    // A reply to the answer may be lost while Beckon is killed.
    expect(['accepted', 'repeated']).toContain(result);
  });
  const ended = await machines.laptop.finish(run);
  expect({ had: line.had, ...ended }).toEqual({ had: line.had, code: 0, stdout: denial(message), stderr: '' });
}

/** How often something happened, by the log. */
async function countLog(): Promise<object> {
  const events = await machines.log();
  const count = (type: string): number => events.filter((event) => event.type === type).length;
  return {
    requested: count('interaction.requested'),
    answered: count('interaction.answered'),
    superseded: count('interaction.superseded'),
    received: count('hook.received'),
  };
}

/** The counts if each question was asked once, answered once, and kept as a hook once. */
function eachOnce(questions: number): object {
  return { requested: questions, answered: questions, superseded: 0, received: questions };
}

/** Some troubles for one line. Of those that outlast the command's patience, at most one before Beckon has it. */
function toFates(random: Random): Fate[] {
  const quick = (): Fate =>
    random.pick<Fate>([
      { is: 'refused' },
      { is: 'cut in the request', afterBytes: random.below(600) },
      { is: 'cut in the wait', afterMs: random.below(2500) },
      { is: 'cut at the reply' },
      { is: 'cut in the reply', afterBytes: random.below(300) },
      { is: 'bad gateway' },
      { is: 'delayed', ms: random.below(1000) },
    ]);
  const slow = (): Fate => random.pick<Fate>([{ is: 'swallowed' }, { is: 'half-open' }]);
  const isSlowAtFirst = random.below(3) === 0;
  const first = Array.from({ length: random.below(isSlowAtFirst ? 2 : 4) }, quick);
  const later = Array.from({ length: random.below(5) }, quick);
  return [
    ...first,
    ...(isSlowAtFirst ? [slow()] : []),
    { is: 'fine' },
    ...later,
    ...(random.below(4) === 0 ? [slow()] : []),
  ];
}

async function open(fates: readonly Fate[]): Promise<BadLine> {
  const line = await openBadLine(machines.daemon.url, fates);
  lines.push(line);
  return line;
}

async function inParallel(rounds: readonly number[], run: (round: number) => Promise<void>): Promise<void> {
  const rest = [...rounds];
  const work = async (): Promise<void> => {
    for (let round = rest.shift(); round !== undefined; round = rest.shift()) await run(round);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
