import type { Command } from 'commander';
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
import { EXIT } from '../exit-codes.ts';
import { note } from '../output.ts';
import { toWho } from '../who.ts';

interface InboxOptions extends ClientOptions {
  chat?: string;
}

export function createInbox(): Command {
  return addClientOptions(
    createCommand('inbox', {
      summary: 'Show what waits for an answer, live, and answer it with the keyboard.',
      examples: [
        ['beckon inbox', 'arrow keys or a number select, Enter opens; Esc goes back, q leaves'],
        ['beckon inbox --chat ops', 'one conversation alone'],
        ['EDITOR="code --wait" beckon inbox', 'the editor for plans and inputs'],
        [
          `echo '{"id":"int_…","answer":{"text":"yes"}}' | beckon inbox`,
          'without a terminal: answers in, events and results out, one JSON document a line',
        ],
      ],
      more: [
        'Without a terminal, or with --json, each line of output has a "type": pending, settled, said, result, error.',
        'Exit codes: 0 it ended and every answer counts, 1 one came too late, 2 a line did not fit, 6 cannot reach Beckon.',
      ].join('\n'),
    }).option('--chat <id>', 'of one conversation'),
  ).action(runInbox);
}

async function runInbox(options: InboxOptions): Promise<void> {
  const shared = { who: toWho(), ...(options.chat !== undefined && { chatId: options.chat }) };
  await withBeckon(options, async (beckon) => {
    // An error such as a wrong token shows at once, not behind the list.
    await beckon.list({ limit: 1 });
    if (options.json === true || !process.stdin.isTTY || !process.stdout.isTTY) {
      const connector = createLinesConnector({ input: process.stdin, output: process.stdout, ...shared });
      process.exitCode = toExitCode(await follow(beckon, connector));
      return;
    }
    refuseDumbTerminal();
    await follow(
      beckon,
      createTerminalConnector({ input: process.stdin, output: process.stdout, env: process.env, ...shared }),
    );
  });
}

/** Runs the connector until the person leaves, or the process is told to end. What it needs is given back in any case. */
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
  note('This terminal cannot be drawn on (TERM=dumb).');
  throw new BeckonError('invalid_input', 'Use another terminal, or --json. See: beckon inbox --help');
}
