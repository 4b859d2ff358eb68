import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { useClientLab } from './client-lab.ts';
import { CASES, type CaseName, type ClientDriver, type Play } from './driver.ts';
import { isInstalled } from './installed.ts';
import { Performance } from './performance.ts';
import { Results } from './results.ts';

/** What `npm test` runs of each client; `npm run test:clients` runs all but the long wait, which only soak runs. */
const SHORT: readonly CaseName[] = ['allow', 'deny', 'outside first', 'terminal first', 'Beckon killed'];
const SOAK: readonly CaseName[] = ['wait of 11 minutes'];
const LONG_WAIT_MS = 11 * 60_000;

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
    await run.expectRan(play.hears);
  },
  deny: async (run, play) => {
    run.start();
    await run.answer({ decision: 'deny' });
    await run.expectRefused(play.hears);
  },
  'deny with text': async (run, play) => {
    run.start();
    await run.answer({ decision: 'deny', message: 'Not on a Monday' });
    await run.expectRefused(play.hears ?? /Not on a Monday/);
  },
  question: async (run, play) => {
    run.start();
    await run.lab.answer(await run.asked('question'), { selected: ['Postgres'] });
    await run.expectHeard(play.hears ?? /Postgres/);
  },
  plan: async (run, play) => {
    run.start();
    await run.lab.answer(await run.asked('plan_review'), { decision: 'default' });
    await run.expectHeard(play.hears ?? /approved/i);
  },
  form: async (run, play) => {
    run.start();
    await run.lab.answer(await run.asked('form'), { values: { name: 'Ana' } });
    await run.expectHeard(play.hears ?? /Ana/);
  },
  remember: async (run) => {
    run.start();
    await run.answer({ decision: 'allow', remember: true });
    await run.lab.result(run.scenario, 2);
    expect(await run.lab.asksOf(run.project)).toHaveLength(1);
    expect(run.marks()).toBe(2);
  },
  'outside first': async (run, play) => {
    const client = run.attend();
    if (play.beside !== false) await client.asks();
    await run.answer({ decision: 'allow' });
    await client.isDone();
    await run.expectRan(play.hears);
  },
  'terminal first': async (run, play) => {
    const client = run.attend();
    await client.asks();
    const asked = await run.asked('approval');
    await client.allow();
    await run.expectRan(play.hears);
    expect(['answered', 'superseded']).toContain((await run.lab.settled(asked)).status);
  },
  'both at once': async (run, play) => {
    const client = run.attend();
    await client.asks();
    const { id } = await run.asked('approval');
    await Promise.all([client.allow(), run.lab.beckon.answer(id, { decision: 'allow' }, { who: 'ana', via: 'inbox' })]);
    await run.expectRan(play.hears);
    expect(await run.lab.asksOf(run.project)).toMatchObject([{ id, status: expect.not.stringMatching('pending') }]);
  },
  'client killed': async (run, play) => {
    const { kill } = run.start();
    const asked = await run.asked('approval');
    kill();
    if (play.after === 'goes on') {
      await run.lab.answer(asked, { decision: 'allow' });
      return run.expectRan(play.hears);
    }
    expect((await run.lab.settled(asked)).status).not.toBe('answered');
    expect(run.marks()).toBe(0);
  },
  'Beckon killed': async (run, play) => {
    run.start();
    await run.asked('approval');
    await run.lab.kill();
    await run.lab.up();
    await run.answer({ decision: 'allow' });
    await run.expectRan(play.hears);
  },
  'Beckon down': async (run, play) => {
    await run.lab.kill();
    onTestFinished(() => run.lab.up());
    if (run.isHeadless) {
      run.start();
      return run.expectRefused(play.hears);
    }
    const client = run.attend();
    await client.asks();
    await client.allow();
    await run.expectRan(play.hears);
  },
  'hostile payloads': async (run, play) => {
    for (const command of HOSTILE) {
      const other = run.again(command);
      other.start();
      const asked = await other.asked('approval');
      expect(JSON.stringify(asked.request.input)).toContain(JSON.stringify(command).slice(1, -1));
      await other.lab.answer(asked, { decision: 'deny' });
      await other.expectRefused(play.hears);
    }
  },
  'two sessions': async (run, play) => {
    const other = run.again();
    for (const one of [run, other]) one.start();
    await other.answer({ decision: 'deny' });
    await run.answer({ decision: 'allow' });
    await run.expectRan();
    await other.expectRefused(play.hears);
  },
  'wait of 11 minutes': async (run, play) => {
    run.start();
    const asked = await run.asked('approval');
    await sleep(LONG_WAIT_MS);
    await run.lab.answer(asked, { decision: 'allow' });
    await run.expectRan(play.hears);
  },
};

/** Holds a client to the list of cases that is the same for all, with the real binary and a real Beckon. */
export function testClient(driver: ClientDriver): void {
  const results = new Results(driver);
  const chosen = CASES.filter(isChosen);

  describe.runIf(isInstalled(driver.client))(driver.title, () => {
    const use = useClientLab(driver);
    afterAll(() => results.write());

    for (const name of chosen) {
      const play = driver.cases[name];
      if ('cannot' in play) results.set(name, play);
      else
        test(name, { timeout: SOAK.includes(name) ? 2 * LONG_WAIT_MS : 300_000 }, async () => {
          onTestFinished(({ task }) => results.set(name, { passed: task.result?.state === 'pass' }));
          const run = new Performance(use(), driver, { name, play });
          onTestFinished(() => run.close());
          await ACTS[name](run, play);
        });
    }
  });
}

function isChosen(name: CaseName): boolean {
  if (SOAK.includes(name)) return process.env['BECKON_SOAK'] !== undefined;
  return process.env['BECKON_CLIENT_CASES'] === 'all' || SHORT.includes(name);
}
