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
      summary: 'Cancel pending requests.',
      examples: [
        ['beckon cancel int_… --reason "the build is gone"', 'cancel one request'],
        ['beckon cancel --chat ops', 'cancel everything pending in a chat'],
      ],
      more: 'Exit codes: 0 cancelled, 1 nothing was pending, 6 Beckon not reachable.',
    })
      .argument('[id]', 'id of the request, from "beckon list"')
      .option('--chat <id>', 'everything in this chat')
      .option('--reason <text>', 'tell the agent why'),
  ).action(runCancel);
}

async function runCancel(id: string | undefined, options: CancelOptions): Promise<void> {
  const { chat, reason, json } = options;
  if ((id === undefined) === (chat === undefined)) {
    throw new BeckonError('invalid_input', 'Nothing to cancel. Give an id or --chat. See: beckon cancel --help');
  }
  const target = id === undefined ? { chatId: chat ?? '' } : { id };
  const cancelled = await withBeckon(options, (beckon) => beckon.cancel(target, reason));
  if (json === true) printJson({ cancelled });
  else if (cancelled.length === 0) note('Nothing was pending, so nothing was cancelled.');
  else print(cancelled.map((one) => `Cancelled ${one}`).join('\n'));
  process.exitCode = cancelled.length === 0 ? EXIT.failed : EXIT.answered;
}
