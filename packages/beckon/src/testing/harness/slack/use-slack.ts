import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { createSlackConnector } from '../../../connectors/slack/index.ts';
import type { SlackOptions, Stranger } from '../../../connectors/slack/settings.ts';
import { runConnector } from '../../../coordinator/run-connector.ts';
import type { Beckon } from '../../../core/beckon.ts';
import { openBeckon } from '../../../open-beckon.ts';
import type { AskInput, Interaction } from '../../../protocol/interaction.ts';
import { until } from '../../suites/until.ts';
import { Person } from './person.ts';
import { SlackServer } from './slack-server.ts';
import { type KeptMessage, see } from './slack-workspace.ts';

/** The channel that most tests use, and its name in Beckon. */
export const CHANNEL = 'C100';
export const CHAT = 'team';

/**
 * For each test around it a Beckon, a stand-in for Slack, and what joins them. The stand-in must have found no fault,
 * which means no markup either, and Node no leak.
 */
export function useSlack() {
  let folder: string;
  let server: SlackServer;
  let beckon: Beckon;
  let running: { stop(): Promise<void> }[];
  const errors: unknown[] = [];
  const strangers: Stranger[] = [];
  const leaks: Error[] = [];
  const onWarning = (warning: Error): void => {
    if (warning.name === 'MaxListenersExceededWarning') leaks.push(warning);
  };

  beforeEach(async () => {
    process.on('warning', onWarning);
    folder = mkdtempSync(join(tmpdir(), 'beckon-slack-'));
    server = await SlackServer.start();
    beckon = await openBeckon({ store: `sqlite:${join(folder, 'beckon.db')}` });
    running = [];
    errors.length = 0;
    strangers.length = 0;
  });
  afterEach(async () => {
    for (const connector of running) await connector.stop();
    await beckon.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
    process.off('warning', onWarning);
    expect({ faults: server.faults, leaks }).toEqual({ faults: [], leaks: [] });
  });

  const find = (text: string): KeptMessage => {
    const found = server.messages.findLast((message) => see(message).text.includes(text));
    if (found !== undefined) return found;
    throw new Error(`No message has ${text}: ${JSON.stringify(server.messages.map((message) => see(message).text))}`);
  };

  return {
    errors,
    strangers,
    get server() {
      return server;
    },
    get beckon() {
      return beckon;
    },
    get stateFile() {
      return join(folder, 'slack.json');
    },
    get ada() {
      return new Person(server, 'U1ADA');
    },
    get bob() {
      return new Person(server, 'U2BOB');
    },
    /** Is not on the list. */
    get eve() {
      return new Person(server, 'U6EVE');
    },
    options: (changes: Partial<SlackOptions> = {}): SlackOptions => ({
      botToken: server.botToken,
      appToken: server.appToken,
      channels: { [CHAT]: CHANNEL },
      users: { U1ADA: 'ada', U2BOB: 'bob' },
      apiRoot: server.apiRoot,
      retryMs: 10,
      momentMs: 0,
      onError: (error) => errors.push(error),
      onIgnored: (stranger) => strangers.push(stranger),
      ...changes,
    }),
    /** Runs a connector on the Beckon until it is stopped, or the test ends. */
    async run(changes: Partial<SlackOptions> = {}): Promise<{ stop(): Promise<void> }> {
      const connector = createSlackConnector(this.options(changes));
      const connected = await runConnector({ beckon, connector, onError: (error) => errors.push(error) });
      running.push(connected);
      return connected;
    },
    /** Waits until the connector knows something of a request, which is a little after Slack shows it. */
    async kept(id: string, part: object): Promise<void> {
      const { stateFile } = this;
      await until(() => {
        const { deliveries } = JSON.parse(readFileSync(stateFile, 'utf8')) as { deliveries: { id: string }[] };
        expect(deliveries.find((delivery) => delivery.id === id)).toMatchObject(part);
      });
    },
    ask: (input: AskInput): Promise<Interaction> => beckon.ask({ chatId: CHAT, ...input } as AskInput),
    /** The message that contains a text, when it is there. */
    see: (text: string): Promise<KeptMessage> => until(() => find(text)),
    /** What a person reads in a message at this moment. */
    text: (message: KeptMessage): string => see(message).text,
    /** The labels of what a person can press in a message at this moment. */
    labels: (message: KeptMessage): string[] => see(message).controls.map(({ text, type }) => text || type),
    /** What somebody alone was told last, when it contains a text. */
    whisper: (text: string): Promise<{ user: string; text: string; thread: string | undefined }> =>
      until(() => {
        const found = server.whispers.findLast((whisper) => whisper.text.includes(text));
        if (found === undefined) throw new Error(`Nobody was told ${text}: ${JSON.stringify(server.whispers)}`);
        return found;
      }),
  };
}
