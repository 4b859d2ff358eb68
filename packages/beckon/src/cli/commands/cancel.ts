import type { Command } from 'commander';
import { BeckonError } from '../../protocol/errors.ts';
import { addClientOptions, type ClientOptions, withBeckon } from '../client.ts';
import { createCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { note, print, printJson } from '../output.ts';

interface CancelOptions extends ClientOptions {
  chat?: string;
  reason?: string;
}

export function createCancel(): Command {
  return addClientOptions(
    createCommand('cancel', {
      summary: 'End what waits for an answer, without one.',
      examples: [
        ['beckon cancel int_… --reason "the build is gone"', 'one interaction'],
        ['beckon cancel --chat ops', 'everything that is pending in a conversation'],
      ],
      more: 'Exit codes: 0 it was ended, 1 nothing was pending, 6 cannot reach Beckon.',
    })
      .argument('[id]', 'which interaction, as "beckon list" shows it')
      .option('--chat <id>', 'everything of this conversation')
      .option('--reason <text>', 'what the agent is told'),
  ).action(runCancel);
}

async function runCancel(id: string | undefined, options: CancelOptions): Promise<void> {
  const { chat, reason, json } = options;
  if ((id === undefined) === (chat === undefined)) {
    throw new BeckonError('invalid_input', 'Say what to cancel: an id, or --chat. See: beckon cancel --help');
  }
  const target = id === undefined ? { chatId: chat ?? '' } : { id };
  const cancelled = await withBeckon(options, (beckon) => beckon.cancel(target, reason));
  if (json === true) printJson({ cancelled });
  else if (cancelled.length === 0) note('Nothing was pending, so nothing was cancelled.');
  else print(cancelled.map((one) => `Cancelled ${one}`).join('\n'));
  process.exitCode = cancelled.length === 0 ? EXIT.failed : EXIT.answered;
}
