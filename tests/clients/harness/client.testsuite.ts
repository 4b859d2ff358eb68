import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { CASES } from '../../../scripts/toolchain/clients-table.mjs';
import { useClientLab } from './client-lab.ts';
import type { CaseName, ClientDriver, Play } from './driver.ts';
import { isInstalled } from './installed.ts';
import { Performance } from './performance.ts';
import { Results } from './results.ts';

/** What `npm test` runs of each client. */
const SHORT: readonly CaseName[] = ['allow', 'deny', 'outside first', 'terminal first', 'Beckon killed'];
/** What `npm run test:clients` leaves to `npm run test:clients -- --soak`. */
const SOAK: readonly CaseName[] = ['wait of 11 minutes'];
const LONG_WAIT_MS = 11 * 60_000;
const LIMIT_MS = LONG_WAIT_MS + 5 * 60_000;

/** Commands that break whatever takes texts for markup, for shell, or for a screen. */
const HOSTILE = [
  'touch marker.txt # <img src=x onerror=alert(1)> </script> ${7*7} {{7*7}} %s %n',
  'touch marker.txt # \u202Etxt.rekram\u202C \u200B\u0000'.replaceAll('\u0000', '') + ' \u001B[2J\u001B]0;owned\u0007',
  `touch marker.txt # ${'long '.repeat(4000)}`,
];

type Act = (run: Performance, play: Play) => Promise<void>;

const ACTS: Record<CaseName, Act> = {
  allow: async (run, play) => {
    run.start();
    await run.answer({ decision: 'allow' });
    await expectRan(run, play.hears);
  },
  deny: async (run, play) => {
    run.start();
    await run.answer({ decision: 'deny' });
    await expectRefused(run, play.hears);
  },
  'deny with text': async (run, play) => {
    run.start();
    await run.answer({ decision: 'deny', message: 'Not on a Monday' });
    await expectRefused(run, play.hears ?? /Not on a Monday/);
  },
  question: async (run, play) => {
    run.start();
    await run.lab.answer(await run.asked('question'), { selected: ['Postgres'] });
    await run.hears(play.hears ?? /Postgres/);
  },
  plan: async (run, play) => {
    run.start();
    await run.lab.answer(await run.asked('plan_review'), { decision: 'default' });
    await run.hears(play.hears ?? /approved/i);
  },
  form: async (run, play) => {
    run.start();
    await run.lab.answer(await run.asked('form'), { values: { name: 'Ana' } });
    await run.hears(play.hears ?? /Ana/);
  },
  remember: async (run) => {
    run.start();
    await run.answer({ decision: 'allow', remember: true });
    expect(await run.lab.result(run.scenario, 2)).toContain('13');
    expect(await run.lab.asksOf(run.project)).toHaveLength(1);
  },
  'outside first': async (run, play) => {
    const client = run.attend();
    if (play.beside !== false) await client.asks();
    await run.answer({ decision: 'allow' });
    await client.isDone();
    await expectRan(run, play.hears);
  },
  'terminal first': async (run, play) => {
    const client = run.attend();
    await client.asks();
    const asked = await run.asked('approval');
    await client.allow();
    await expectRan(run, play.hears);
    expect(['answered', 'superseded']).toContain((await run.lab.settled(asked)).status);
  },
  'both at once': async (run, play) => {
    const client = run.attend();
    await client.asks();
    const { id } = await run.asked('approval');
    await Promise.all([client.allow(), run.lab.beckon.answer(id, { decision: 'allow' }, { who: 'ana', via: 'inbox' })]);
    await expectRan(run, play.hears);
    expect(await run.lab.asksOf(run.project)).toMatchObject([{ id, status: expect.not.stringMatching('pending') }]);
  },
  'client killed': async (run, play) => {
    const { kill } = run.start();
    const asked = await run.asked('approval');
    kill();
    if (play.after === 'goes on') {
      await run.lab.answer(asked, { decision: 'allow' });
      return expectRan(run, play.hears);
    }
    expect((await run.lab.settled(asked)).status).toBe('superseded');
    expect(run.marks()).toBe(0);
  },
  'Beckon killed': async (run, play) => {
    run.start();
    await run.asked('approval');
    await run.lab.kill();
    await run.lab.up();
    await run.answer({ decision: 'allow' });
    await expectRan(run, play.hears);
  },
  'Beckon down': async (run, play) => {
    await run.lab.kill();
    onTestFinished(() => run.lab.up());
    if (run.isHeadless) {
      run.start();
      return expectRefused(run, play.hears);
    }
    const client = run.attend();
    await client.asks();
    await client.allow();
    await expectRan(run, play.hears);
  },
  'hostile payloads': async (run, play) => {
    const shown: string[] = [];
    for (const command of HOSTILE) {
      const other = run.again(command);
      other.start();
      const asked = await other.askedOrRefused();
      if (asked !== undefined) {
        expect(JSON.stringify(asked.request.input)).toContain(JSON.stringify(command).slice(1, -1));
        await other.lab.answer(asked, { decision: 'deny' });
        shown.push(command);
      }
      await expectRefused(other, play.hears);
    }
    // A client may refuse control characters by itself, but hardly markup.
    expect(shown).toContain(HOSTILE[0]);
  },
  'two sessions': async (run, play) => {
    const other = run.again();
    for (const one of [run, other]) one.start();
    await other.answer({ decision: 'deny' });
    await run.answer({ decision: 'allow' });
    await expectRan(run);
    await expectRefused(other, play.hears);
  },
  'wait of 11 minutes': async (run, play) => {
    run.start();
    const asked = await run.asked('approval');
    await sleep(LONG_WAIT_MS);
    await run.lab.answer(asked, { decision: 'allow' });
    await expectRan(run, play.hears);
  },
};

/** Holds a client to the list of cases that is the same for all, with the real binary and a real Beckon. */
export function testClient(driver: ClientDriver): void {
  const results = new Results(driver);
  const plays: { name: CaseName; play: Play }[] = [];
  for (const name of CASES.filter(isChosen)) {
    const play = driver.cases[name];
    if ('cannot' in play) results.set(name, play);
    else plays.push({ name, play });
  }

  describe.runIf(isInstalled(driver.client))(`${driver.title} and Beckon`, () => {
    const use = useClientLab(driver);
    afterAll(() => results.write());

    test.each(plays)(
      '$name',
      async ({ name, play }) => {
        onTestFinished(({ task }) => results.set(name, toResult(task.result?.state === 'pass', play)));
        const run = new Performance(use(), driver, { name, play });
        onTestFinished(() => run.close());
        const expectCase = ACTS[name];
        await expectCase(run, play);
      },
      LIMIT_MS,
    );
  });
}

/** BECKON_CLIENT_CASES: the short list if it is not set, `all`, or `soak` for the long wait as well. */
function isChosen(name: CaseName): boolean {
  const chosen = process.env['BECKON_CLIENT_CASES'];
  return chosen === 'soak' || (chosen === 'all' ? !SOAK.includes(name) : SHORT.includes(name));
}

function toResult(passed: boolean, { note }: Play): { passed: boolean; note?: string } {
  return note === undefined ? { passed } : { passed, note };
}

/** The command ran once, and the model read what came of it. */
async function expectRan(run: Performance, hears: RegExp | null = /\bhi\b/): Promise<void> {
  await run.hears(hears);
  expect(run.marks()).toBe(1);
}

/** The command did not run, and the model read why, or the client ended its turn. */
async function expectRefused(run: Performance, hears: RegExp | null | undefined): Promise<void> {
  await run.hears(hears);
  expect(run.marks()).toBe(0);
}
