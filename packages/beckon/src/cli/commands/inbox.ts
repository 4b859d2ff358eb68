import type { Command } from 'commander';
import { connectHistory } from '../../client/connect-history.ts';
import { connectRules } from '../../client/connect-rules.ts';
import {
  createLinesConnector,
  createTerminalConnector,
  type LineResult,
  type LinesConnector,
  type TerminalConnector,
} from '../../connectors/terminal/index.ts';
import { runConnector } from '../../coordinator/run-connector.ts';
import type { Beckon } from '../../core/beckon.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { addClientOptions, type ClientOptions, withBeckon } from '../client.ts';
import { createCommand } from '../command.ts';
import { toEventLine } from '../event-line.ts';
import { EXIT } from '../exit-codes.ts';
import { readEvents } from '../read-events.ts';
import { toWho } from '../who.ts';

interface InboxOptions extends ClientOptions {
  chat?: string;
}

export function createInbox(): Command {
  return addClientOptions(
    createCommand('inbox', {
      summary: 'Answer pending requests with the keyboard, in a live list.',
      examples: [
        ['beckon inbox', 'arrow keys or a number select, Enter opens, y allows, n denies, ? shows all keys'],
        ['beckon inbox --chat ops', 'only the chat "ops"'],
        ['EDITOR="code --wait" beckon inbox', 'choose the editor for plans and inputs'],
        [
          `echo '{"id":"int_…","answer":{"text":"yes"}}' | beckon inbox`,
          'without a terminal: read answers and write events and results as JSON lines',
        ],
      ],
      more: [
        'Without a terminal, or with --json, each output line has a "type": pending, settled, said, result, error.',
        'Exit codes: 0 all answers accepted, 1 an answer came too late, 2 an invalid line, 6 Beckon not reachable.',
      ].join('\n'),
    }).option('--chat <id>', 'only this chat'),
  ).action(runInbox);
}

async function runInbox(options: InboxOptions): Promise<void> {
  const shared = { who: toWho(), ...(options.chat !== undefined && { chatId: options.chat }) };
  await withBeckon(options, async (beckon, _config, { url, access }) => {
    // Report an error such as a wrong token now, not behind the list.
    await beckon.list({ limit: 1 });
    if (options.json === true || !process.stdin.isTTY || !process.stdout.isTTY) {
      const connector = createLinesConnector({ input: process.stdin, output: process.stdout, ...shared });
      process.exitCode = toExitCode(await follow(beckon, connector));
      return;
    }
    refuseDumbTerminal();
    const history = connectHistory(url, access);
    const readLog = async (id: string): Promise<string[]> => (await readEvents(history, id)).map(toEventLine);
    const { stdin: input, stdout: output, env } = process;
    const rules = connectRules(url, access);
    await follow(beckon, createTerminalConnector({ input, output, env, readLog, history, rules, ...shared }));
  });
}

/** Runs the connector until the person quits or the process is told to end, and always cleans up. */
async function follow(beckon: Beckon, connector: TerminalConnector): Promise<void>;
async function follow(beckon: Beckon, connector: LinesConnector): Promise<LineResult[]>;
async function follow(beckon: Beckon, connector: TerminalConnector | LinesConnector): Promise<LineResult[] | void> {
  const failures: unknown[] = [];
  const end = (): void => void connector.stop();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, end);
  const onError = (error: unknown): void => {
    failures.push(error);
    end();
  };
  try {
    const running = await runConnector({ beckon, connector, onError });
    try {
      const results = await connector.left;
      if (failures.length > 0) throw failures[0];
      return results;
    } finally {
      await running.stop();
    }
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}

function toExitCode(results: readonly LineResult[]): number {
  const codes = results.map((result) => {
    if (typeof result === 'string') return result === 'accepted' || result === 'repeated' ? EXIT.answered : EXIT.failed;
    return result.error === 'unreachable' ? EXIT.unreachable : EXIT.usage;
  });
  return Math.max(EXIT.answered, ...codes);
}

function refuseDumbTerminal(): void {
  if (process.env['TERM'] !== 'dumb') return;
  throw new BeckonError(
    'invalid_input',
    'This terminal cannot show the inbox (TERM=dumb). Use another terminal, or --json. See: beckon inbox --help',
  );
}
