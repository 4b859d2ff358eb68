import type { Command } from 'commander';
import type { Beckon } from '../../core/beckon.ts';
import { type Config, parseTimeout } from '../../daemon/config.ts';
import { toVisible } from '../../presentation/visible.ts';
import { describeAsker } from '../../presentation/who.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { type AskInput, type Interaction, KINDS } from '../../protocol/interaction.ts';
import { describeStanding } from '../../terminal/describe.ts';
import { addClientOptions, type ClientOptions, withBeckon } from '../client.ts';
import { collect, createCommand } from '../command.ts';
import { EXIT, toExitCode } from '../exit-codes.ts';
import { readJson } from '../json-argument.ts';
import { toAnswerText } from '../outcome.ts';
import { note, print, printJson } from '../output.ts';

interface AskOptions extends ClientOptions {
  option?: string[];
  multi?: boolean;
  header?: string;
  kind?: string;
  request?: string;
  chat?: string;
  session?: string;
  timeout?: string;
  key?: string;
}

/** After its deadline an interaction is settled as soon as Beckon runs again; nobody waits longer than this for that. */
const GRACE_MS = 60_000;

export function createAsk(): Command {
  return addClientOptions(
    createCommand('ask', {
      summary: 'Ask a person, wait, and print the answer alone on stdout.',
      examples: [
        ['beckon ask "Deploy?" --option yes --option no --timeout 10m', 'print "yes", "no" or what the person typed'],
        ['beckon ask "Which?" --option a --option b --multi --json', 'print the whole interaction'],
        [
          `beckon ask --kind approval --request '{"tool":"Bash","input":{"command":"ls"}}'`,
          'exit 0 for allow, 3 for deny',
        ],
        ['beckon ask --kind form --request @form.json', 'print the values as JSON'],
        ['beckon ask "Deploy?" --key deploy-42', 'ask once, however often the script is started'],
      ],
      more:
        'Exit codes: 0 answered, 2 usage, 3 denied, 4 expired, 5 cancelled, 6 cannot reach Beckon,\n' +
        '7 the --key was used for something else, 1 anything else.\n' +
        'On a terminal you can answer right there: the first answer wins. Ctrl-C cancels the question.',
    })
      .argument('[question]', 'what to ask')
      .option('--option <label>', 'an answer to choose; may be repeated', collect)
      .option('--multi', 'several options may be chosen')
      .option('--header <text>', 'a short title')
      .option('--kind <kind>', `instead of a question: ${KINDS.join(', ')}`)
      .option('--request <json>', 'what to ask, as JSON, @FILE, or - for stdin')
      .option('--chat <id>', 'the conversation it belongs to (default: "default")')
      .option('--session <id>', 'the run of the agent that asks')
      .option('--timeout <duration>', 'how long to wait: seconds, 30s, 10m, 12h, never (default: 300 seconds)')
      .option('--key <key>', 'asking the same again with the same key finds the question, or its answer'),
  ).action(runAsk);
}

/** How it ended, and whether the person at this terminal ended it. */
interface Asked {
  settled: Interaction;
  isAnsweredHere: boolean;
}

async function runAsk(question: string | undefined, options: AskOptions): Promise<void> {
  const input = toAskInput(question, options);
  const { settled, isAnsweredHere } = await withBeckon(options, (beckon, config) => askAndWait(beckon, config, input));
  const exitCode = toExitCode(settled);
  if (!isAnsweredHere && (exitCode !== EXIT.answered || isOnTerminal())) note(describeStanding(settled));
  if (options.json === true) printJson(settled);
  else if (settled.status === 'answered') {
    const text = toAnswerText(settled);
    // A script gets the answer as it is; a terminal must not obey it.
    print(process.stdout.isTTY ? toVisible(text) : text);
  }
  process.exitCode = exitCode;
}

function toAskInput(question: string | undefined, options: AskOptions): AskInput {
  const shared = {
    ...(options.chat !== undefined && { chatId: options.chat }),
    ...(options.session !== undefined && { sessionId: options.session }),
    ...(options.timeout !== undefined && { timeout: parseTimeout(options.timeout, '--timeout') }),
    ...(options.key !== undefined && { idempotencyKey: options.key }),
  };
  if ((question === undefined) === (options.request === undefined)) {
    throw new BeckonError(
      'invalid_input',
      'Say what to ask: a question, or --kind with --request. See: beckon ask --help',
    );
  }
  const isQuestion = question !== undefined;
  const request = isQuestion
    ? {
        question,
        options: (options.option ?? []).map((label) => ({ label })),
        ...(options.header !== undefined && { header: options.header }),
        ...(options.multi === true && { multiSelect: true }),
      }
    : readJson(options.request ?? '', '--request');
  return { ...shared, kind: options.kind ?? 'question', request } as AskInput; // Checked when it is asked.
}

async function askAndWait(beckon: Beckon, { timeout }: Config, input: AskInput): Promise<Asked> {
  // The first Ctrl-C takes the question back, the second ends the process.
  const left = new AbortController();
  process.once('SIGINT', () => left.abort());
  // Without a setting of this user, the daemon's own counts.
  const isSet = input.timeout !== undefined || timeout.from === 'default';
  const asked = await beckon.ask(isSet ? input : { ...input, timeout: timeout.value });
  if (asked.status !== 'pending') return { settled: asked, isAnsweredHere: false };
  const waiting = waitFor(beckon, asked, left.signal);
  const closePrompt = new AbortController();
  const close = (): void => closePrompt.abort();
  waiting.then(close, close);
  const prompting = isOnTerminal() ? promptHere(beckon, asked, closePrompt.signal, left) : announce(asked);
  try {
    const settled = await Promise.race([waiting, prompting.then((here) => here ?? waiting)]);
    return { settled, isAnsweredHere: (await prompting) !== null };
  } catch (error) {
    if (!left.signal.aborted) throw error;
    await prompting;
    return { settled: await cancel(beckon, asked), isAnsweredHere: false };
  }
}

async function waitFor(beckon: Beckon, { id, expiresAt }: Interaction, signal: AbortSignal): Promise<Interaction> {
  if (expiresAt === undefined) return beckon.wait(id, { signal });
  const timeout = Math.max(0, Date.parse(expiresAt) - Date.now() + GRACE_MS) / 1000;
  try {
    return await beckon.wait(id, { signal, timeout });
  } catch (error) {
    if (!(error instanceof BeckonError) || error.code !== 'wait_timed_out') throw error;
    throw new BeckonError('unreachable', `Beckon did not come back. ${id} had to be answered by ${expiresAt}.`, {
      cause: error,
    });
  }
}

/** Takes the question back. Somebody may have been faster: then their answer counts. */
async function cancel(beckon: Beckon, { id }: Interaction): Promise<Interaction> {
  try {
    const cancelled = await beckon.cancel({ id }, 'Ctrl-C in the terminal that asked');
    if (cancelled.length === 0) note('Somebody was faster.');
    const interaction = await beckon.get(id);
    if (interaction !== null) return interaction;
  } catch (error) {
    if (!(error instanceof BeckonError) || error.code !== 'unreachable') throw error;
    const message = `Beckon cannot be reached, so ${id} is not cancelled. Later, run: beckon cancel ${id}`;
    throw new BeckonError('unreachable', message, { cause: error });
  }
  throw new BeckonError('interaction_not_found', `The request ${id} no longer exists.`);
}

/** The interaction with the answer that was given here; `null` where there was none. */
async function promptHere(
  beckon: Beckon,
  asked: Interaction,
  signal: AbortSignal,
  left: AbortController,
): Promise<Interaction | null> {
  const { promptForAnswer } = await import('../prompt.ts');
  const given = await promptForAnswer(beckon, asked, signal);
  if (given === 'left') left.abort();
  return typeof given === 'string' ? null : given;
}

async function announce(asked: Interaction): Promise<null> {
  const standing = `${describeStanding(asked)} Others read that ${describeAsker(asked)} asks.`;
  note(`asked ${asked.id}. ${standing} Answer it with: beckon answer ${asked.id}`);
  return null;
}

function isOnTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}
