import { afterEach, beforeEach } from 'vitest';
import { createTerminalConnector, type TerminalOptions } from '../../../connectors/terminal/terminal-connector.ts';
import { runConnector } from '../../../coordinator/run-connector.ts';
import type { Beckon } from '../../../core/beckon.ts';
import { openBeckon } from '../../../open-beckon.ts';
import type { ContextInput } from '../../../protocol/context.ts';
import type { AskInput, Interaction } from '../../../protocol/interaction.ts';
import { until } from '../../suites/until.ts';
import { createSqliteDatabase, type TestDatabase } from '../database.ts';
import { AT_ONCE, createFakeTerminal, type FakeTerminal } from './fake-terminal.ts';

/** What surrounds the calls below. */
export const SHOP: ContextInput = {
  project: 'webshop',
  folder: '/home/ada/webshop',
  branch: 'feature/currency',
  agent: 'Claude Code',
  machine: 'ada-laptop',
  title: 'Convert the cart',
};

/** A terminal with the inbox on it, and a Beckon in which agents ask. */
export class TestInbox {
  readonly database: TestDatabase;
  readonly beckon: Beckon;
  terminal: FakeTerminal = createFakeTerminal();
  #stop: () => Promise<void> = async () => undefined;

  constructor(database: TestDatabase, beckon: Beckon) {
    this.database = database;
    this.beckon = beckon;
  }

  async start(options: Partial<TerminalOptions> = {}): Promise<void> {
    const { input, output } = this.terminal;
    const connector = createTerminalConnector({ input, output, who: 'dev@laptop', keyTimes: AT_ONCE, ...options });
    const { beckon } = this;
    const running = await runConnector({ beckon, connector, onError: () => undefined });
    this.#stop = () => running.stop();
  }

  async close(): Promise<void> {
    await this.#stop();
    await this.beckon.close();
    await this.database.dispose();
  }

  call(tool: string, input: object, context: ContextInput = SHOP): Promise<Interaction> {
    const request = { tool, input };
    return this.beckon.ask({ kind: 'approval', request, context, sessionId: 's1', askedBy: 'laptop' } as AskInput);
  }

  bash(command: string, context?: ContextInput): Promise<Interaction> {
    return this.call('Bash', { command }, context);
  }

  press(keys: string): void {
    this.terminal.press(keys);
  }

  /** Waits until the screen is as it should be: earlier screens do not count. */
  expectScreen(pattern: RegExp): Promise<void> {
    return until(() => {
      const screen = this.terminal.screen();
      if (!pattern.test(screen)) throw new Error(`The screen is not like ${pattern}:\n${screen}`);
    });
  }
}

/** A new inbox for each test; the function gives it. */
export function useInbox(): () => TestInbox {
  let inbox: TestInbox;
  beforeEach(async () => {
    const database = await createSqliteDatabase();
    inbox = new TestInbox(database, await openBeckon({ store: database.url }));
  });
  afterEach(() => inbox.close());
  return () => inbox;
}
