import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSlackConnector } from '../../packages/beckon/src/connectors/slack/index.ts';
import { createTelegramConnector } from '../../packages/beckon/src/connectors/telegram/index.ts';
import { createLinesConnector } from '../../packages/beckon/src/connectors/terminal/index.ts';
import { MultiConnector } from '../../packages/beckon/src/coordinator/multi-connector.ts';
import { runConnector } from '../../packages/beckon/src/coordinator/run-connector.ts';
import { openBeckon } from '../../packages/beckon/src/index.ts';
import { Person as SlackPerson } from '../../packages/beckon/src/testing/harness/slack/person.ts';
import { SlackServer } from '../../packages/beckon/src/testing/harness/slack/slack-server.ts';
import { see } from '../../packages/beckon/src/testing/harness/slack/slack-workspace.ts';
import { BotApiServer, type Person } from '../../packages/beckon/src/testing/harness/telegram/bot-api.ts';
import { until } from '../../packages/beckon/src/testing/suites/until.ts';
import { repeat, soakTimeout } from '../harness/soak.ts';

const ADA: Person = { id: 1001, first_name: 'Ada', username: 'ada' };
const ROUNDS = repeat(200);
const AT_ONCE = 20;

interface Line {
  type: string;
  id?: string;
  result?: string;
  interaction?: { id: string; answer?: { text: string }; answeredBy?: { via: string } };
}

test(
  `terminal, Telegram, Slack and API answer at once, ${ROUNDS} times: one wins, and all other copies say who it was`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'beckon-race-'));
    const telegram = await BotApiServer.start();
    const slack = await SlackServer.start();
    const grace = new SlackPerson(slack, 'U1GRACE');
    const beckon = await openBeckon({ store: `sqlite:${join(folder, 'beckon.db')}` });
    const input = new PassThrough();
    const output = new PassThrough();
    const lines: Line[] = [];
    createInterface({ input: output }).on('line', (line) => lines.push(JSON.parse(line) as Line));
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const connectors = [
      createLinesConnector({ input, output, who: 'dev@laptop' }),
      createTelegramConnector({
        momentMs: 0,
        token: telegram.token,
        chats: { race: 1001 },
        apiRoot: telegram.url,
        retryMs: 10,
        onError,
      }),
      createSlackConnector({
        momentMs: 0,
        botToken: slack.botToken,
        appToken: slack.appToken,
        channels: { race: 'C100' },
        users: { U1GRACE: 'grace' },
        apiRoot: slack.apiRoot,
        retryMs: 10,
        onError,
      }),
    ];
    const running = await runConnector({ beckon, connector: new MultiConnector({ beckon, connectors }), onError });
    const winners = new Map<string, number>();

    async function race(round: number): Promise<void> {
      const question = `Which one, round ${round}?`;
      const { id } = await beckon.ask({
        kind: 'question',
        chatId: 'race',
        request: { question, options: [{ label: 'cli' }, { label: 'telegram' }, { label: 'slack' }, { label: 'api' }] },
      });
      const { shown, posted } = await until(() => {
        const message = telegram.messages.find(({ text }) => text.includes(question));
        const post = slack.messages.find((one) => see(one).text.includes(question));
        const isListed = lines.some((line) => line.type === 'pending' && line.interaction?.id === id);
        if (message === undefined || post === undefined || !isListed) {
          throw new Error(`Round ${round} is not shown everywhere`);
        }
        return { shown: message, posted: post };
      });
      // Telegram and Slack take a round trip longer than the others, which wait a little, each time differently.
      telegram.press(shown, ADA, 'telegram');
      grace.press(posted, 'slack');
      const [, viaApi] = await Promise.all([
        sleep(Math.random() * 10).then(() => input.write(`${JSON.stringify({ id, answer: { selected: ['cli'] } })}\n`)),
        sleep(Math.random() * 10).then(() => beckon.answer(id, { selected: ['api'] }, { who: 'script', via: 'api' })),
      ]);

      const settled = await beckon.wait(id);
      const winner = settled.answeredBy?.via ?? '';
      winners.set(winner, (winners.get(winner) ?? 0) + 1);
      // Each place answered with its own name, so the answer tells who won, and everybody must agree.
      expect(settled.answer).toMatchObject({ text: winner });
      expect(viaApi.result).toBe(winner === 'api' ? 'accepted' : 'lost');
      expect(viaApi.interaction).toMatchObject({ answeredBy: settled.answeredBy });
      const { line, copy, repainted } = await until(() => {
        const line = lines.find((one) => one.type === 'result' && one.id === id);
        const copy = lines.find((one) => one.type === 'settled' && one.interaction?.id === id);
        const repainted = telegram.messages.find(({ message_id }) => message_id === shown.message_id);
        const isOpen = repainted === undefined || repainted.buttons.length > 0 || see(posted).controls.length > 0;
        if (line === undefined || copy === undefined || isOpen) {
          throw new Error(`Round ${round} is not settled everywhere`);
        }
        return { line, copy, repainted };
      });
      expect(line.result).toBe(winner === 'cli' ? 'accepted' : 'lost');
      expect(line.interaction?.answer?.text).toBe(winner);
      expect(copy.interaction?.answeredBy?.via).toBe(winner);
      expect(repainted.text).toContain(settled.answeredBy?.who ?? 'nobody');
      expect(see(posted).text).toContain(settled.answeredBy?.who ?? 'nobody');
    }

    try {
      let next = 0;
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          while (next < ROUNDS) {
            next += 1;
            await race(next);
          }
        }),
      );
      console.log(`winners: ${JSON.stringify(Object.fromEntries(winners))}`);
      expect([...winners.values()].reduce((sum, count) => sum + count, 0)).toBe(ROUNDS);
      expect(errors).toEqual([]);
      expect(telegram.faults).toEqual([]);
      expect(slack.faults).toEqual([]);
    } finally {
      input.end();
      await running.stop();
      await beckon.close();
      await telegram.stop();
      await slack.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  soakTimeout(120_000),
);
