import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTelegramConnector } from '../../packages/beckon/src/connectors/telegram/index.ts';
import { createLinesConnector } from '../../packages/beckon/src/connectors/terminal/index.ts';
import { MultiConnector } from '../../packages/beckon/src/coordinator/multi-connector.ts';
import { runConnector } from '../../packages/beckon/src/coordinator/run-connector.ts';
import { openBeckon } from '../../packages/beckon/src/index.ts';
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
  `terminal, Telegram and API answer at once, ${ROUNDS} times: one wins, and all other copies say who it was`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'beckon-race-'));
    const telegram = await BotApiServer.start();
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
    ];
    const running = await runConnector({ beckon, connector: new MultiConnector({ beckon, connectors }), onError });
    const winners = new Map<string, number>();

    async function race(round: number): Promise<void> {
      const question = `Which one, round ${round}?`;
      const { id } = await beckon.ask({
        kind: 'question',
        chatId: 'race',
        request: { question, options: [{ label: 'cli' }, { label: 'telegram' }, { label: 'api' }] },
      });
      const shown = await until(() => {
        const message = telegram.messages.find(({ text }) => text.includes(question));
        if (message === undefined || !lines.some((line) => line.type === 'pending' && line.interaction?.id === id)) {
          throw new Error(`Round ${round} is not shown everywhere`);
        }
        return message;
      });
      // Telegram takes a round trip longer than the others, so they wait a little, each time differently.
      telegram.press(shown, ADA, 'telegram');
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
        if (line === undefined || copy === undefined || repainted === undefined || repainted.buttons.length > 0) {
          throw new Error(`Round ${round} is not settled everywhere`);
        }
        return { line, copy, repainted };
      });
      expect(line.result).toBe(winner === 'cli' ? 'accepted' : 'lost');
      expect(line.interaction?.answer?.text).toBe(winner);
      expect(copy.interaction?.answeredBy?.via).toBe(winner);
      expect(repainted.text).toContain(settled.answeredBy?.who ?? 'nobody');
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
    } finally {
      input.end();
      await running.stop();
      await beckon.close();
      await telegram.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  soakTimeout(120_000),
);
