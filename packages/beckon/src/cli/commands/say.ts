import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import { BeckonError } from '../../protocol/errors.ts';
import { DEFAULT_CHAT_ID } from '../../protocol/ids.ts';
import { addClientOptions, type ClientOptions, withBeckon } from '../client.ts';
import { createCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { note, print, printJson } from '../output.ts';
import { toWho } from '../who.ts';

interface SayOptions extends ClientOptions {
  chat: string;
  seen?: string;
}

export function createSay(): Command {
  return addClientOptions(
    createCommand('say', {
      summary: 'Say something in a conversation. It answers what is pending there, if that is clear.',
      examples: [
        ['beckon say "yes" --chat ops', 'answers the question that waits in the conversation "ops"'],
        [
          'beckon say "yes" --seen 41',
          'answers nothing that was asked after event 41, as "beckon list --json" shows it',
        ],
      ],
      more: 'Exit codes: 0 it answered something, 1 it answered nothing, 6 cannot reach Beckon.',
    })
      .argument('<text>', 'what to say, or - for stdin')
      .option('--chat <id>', 'where to say it', DEFAULT_CHAT_ID)
      .option('--seen <number>', 'the last event that was seen (default: the last when the command began)'),
  ).action(runSay);
}

async function runSay(argument: string, options: SayOptions): Promise<void> {
  const given = options.seen === undefined ? undefined : parseSeen(options.seen);
  const routed = await withBeckon(options, async (beckon) => {
    // Before the text is there: what is asked while somebody types was not in front of them when they began.
    const seen = given ?? (await beckon.list({ limit: 1 })).lastSeq;
    const text = argument === '-' ? (await readAll(process.stdin)).trimEnd() : argument;
    return beckon.say(options.chat, text, { who: toWho(), via: 'cli' }, { seen });
  });
  if (options.json === true) printJson({ routed });
  else if (routed) print('It was taken as the answer.');
  else note('It answered nothing: nothing there takes a text, or it is not clear which is meant. See: beckon list');
  process.exitCode = routed ? EXIT.answered : EXIT.failed;
}

function parseSeen(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new BeckonError('invalid_input', `--seen: expected the number of an event, got ${JSON.stringify(text)}.`);
}
