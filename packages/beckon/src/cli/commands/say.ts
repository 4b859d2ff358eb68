import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { Beckon } from '../../core/beckon.ts';
import { routeText } from '../../core/route-text.ts';
import { ALLOW_ANYWAY } from '../../core/words.ts';
import { explainDanger } from '../../presentation/describe-risk.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { DEFAULT_CHAT_ID } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { assessRisk } from '../../risk/assess-risk.ts';
import { isDangerous } from '../../risk/is-dangerous.ts';
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
      summary: 'Send a text to a chat. It answers the pending request there, if only one can be meant.',
      examples: [
        ['beckon say "yes" --chat ops', 'answer the question pending in the chat "ops"'],
        ['beckon say "yes" --seen 41', 'answer nothing asked after event 41 ("lastSeq" of "beckon list --json")'],
      ],
      more: 'Exit codes: 0 the text answered a request, 1 it answered nothing, 6 Beckon not reachable.',
    })
      .argument('<text>', 'the text, or - for stdin')
      .option('--chat <id>', 'the chat', DEFAULT_CHAT_ID)
      .option('--seen <number>', 'the last event you saw (default: the last one before this command)'),
  ).action(runSay);
}

async function runSay(argument: string, options: SayOptions): Promise<void> {
  const given = options.seen === undefined ? undefined : parseSeen(options.seen);
  const { isRouted: routed, why } = await withBeckon(options, async (beckon) => {
    // Read before the text: nobody can answer what was asked while they were typing.
    const seen = given ?? (await beckon.list({ limit: 1 })).lastSeq;
    const text = argument === '-' ? (await readAll(process.stdin)).trimEnd() : argument;
    const isRouted = await beckon.say(options.chat, text, { who: toWho(), via: 'cli' }, { seen });
    return { isRouted, why: isRouted ? null : await findDanger(beckon, options.chat, text) };
  });
  if (options.json === true) printJson({ routed });
  else if (routed) print('Your text was accepted as the answer.');
  else if (why !== null) note(why);
  else note('Your text answered nothing: no request there takes a text, or several could be meant. See: beckon list');
  process.exitCode = routed ? EXIT.answered : EXIT.failed;
}

/** Says so if the text is a plain yes to what is dangerous, which may be why it answered nothing. */
async function findDanger(beckon: Beckon, chatId: string, text: string): Promise<string | null> {
  const { items } = await beckon.list({ chatId, status: 'pending', limit: LIMITS.pageItems });
  const route = routeText(items, text, isDangerous);
  if (route.type !== 'dangerous') return null;
  return `Your text answered nothing. ${explainDanger(assessRisk(route.target), ALLOW_ANYWAY)}`;
}

function parseSeen(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new BeckonError('invalid_input', `--seen: expected the number of an event, got ${JSON.stringify(text)}.`);
}
