import type { Command } from 'commander';
import { DEFAULT_CHAT_ID } from '../../protocol/ids.ts';
import { addClientOptions, type ClientOptions, withBeckon } from '../client.ts';
import { createCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { note, print, printJson } from '../output.ts';
import { toWho } from '../who.ts';

export function createSay(): Command {
  return addClientOptions(
    createCommand('say', {
      summary: 'Say something in a conversation. It answers what is pending there, if that is clear.',
      examples: [['beckon say "yes" --chat ops', 'answers the question that waits in the conversation "ops"']],
      more: 'Exit codes: 0 it answered something, 1 it answered nothing, 6 cannot reach Beckon.',
    })
      .argument('<text>', 'what to say')
      .option('--chat <id>', 'where to say it', DEFAULT_CHAT_ID),
  ).action(runSay);
}

async function runSay(text: string, options: ClientOptions & { chat: string }): Promise<void> {
  const routed = await withBeckon(options, (beckon) => beckon.say(options.chat, text, { who: toWho(), via: 'cli' }));
  if (options.json === true) printJson({ routed });
  else if (routed) print('It was taken as the answer.');
  else note('It answered nothing: nothing there takes a text, or it is not clear which is meant. See: beckon list');
  process.exitCode = routed ? EXIT.answered : EXIT.failed;
}
