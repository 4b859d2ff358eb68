import type { Command } from 'commander';
import type { Beckon } from '../../core/beckon.ts';
import { toFeedbackText } from '../../core/feedback-text.ts';
import { type Config, parseTimeout } from '../../daemon/config.ts';
import { toVisible } from '../../presentation/visible.ts';
import { describeAsker } from '../../presentation/who.ts';
import type { ContextInput } from '../../protocol/context.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { type AskInput, type Interaction, KINDS } from '../../protocol/interaction.ts';
import { describeStatus } from '../../terminal/describe.ts';
import { addClientOptions, type ClientOptions, withBeckon } from '../client.ts';
import { collect, createCommand } from '../command.ts';
import { EXIT, toExitCode } from '../exit-codes.ts';
import { readJson } from '../json-argument.ts';
import { note, print, printJson } from '../output.ts';
import { toEscalations, toRemindAfter } from '../time-options.ts';

interface AskOptions extends ClientOptions {
  option?: string[];
  multi?: boolean;
  header?: string;
  kind?: string;
  request?: string;
  chat?: string;
  session?: string;
  timeout?: string;
  remindAfter?: string;
  escalate?: string[];
  key?: string;
  context?: string;
}

/** How long to wait after the deadline for a Beckon that is not running to settle the interaction. */
const GRACE_MS = 60_000;

export function createAsk(): Command {
  return addClientOptions(
    createCommand('ask', {
      summary: 'Ask a person, wait, and print the answer.',
      examples: [
        ['beckon ask "Deploy?" --option yes --option no --timeout 10m', 'print "yes", "no", or what the person typed'],
        ['beckon ask "Which?" --option a --option b --multi --json', 'print the whole request with its answer'],
        [
          `beckon ask --kind approval --request '{"tool":"Bash","input":{"command":"ls"}}'`,
          'exit with 0 if allowed, 3 if denied',
        ],
        ['beckon ask --kind form --request @form.json', 'print the values as JSON'],
        ['beckon ask "Deploy?" --context @context.json', 'show what surrounds it: project, branch, why'],
        ['beckon ask "Deploy?" --remind-after 2m --escalate 5m:bob --timeout 1h', 'remind, then tell bob as well'],
        ['beckon ask "Deploy?" --key deploy-42', 'ask once, no matter how often the script runs'],
      ],
      more:
        'Exit codes: 0 answered, 1 other error, 2 usage error, 3 denied, 4 expired, 5 cancelled, 6 Beckon not reachable,\n' +
        '7 the --key belongs to another request.\n' +
        'On a terminal you can also answer here. The first answer wins. Ctrl-C cancels the request.',
    })
      .argument('[question]', 'what to ask')
      .option('--option <label>', 'an answer to choose; repeatable', collect)
      .option('--multi', 'allow more than one option')
      .option('--header <text>', 'a short title')
      .option('--kind <kind>', `what kind of request: ${KINDS.join(', ')} (default: question)`)
      .option('--request <json>', 'the request as JSON, @FILE, or - for stdin')
      .option('--chat <id>', 'the chat to ask in (default: "default")')
      .option('--session <id>', 'the session that asks')
      .option('--timeout <duration>', 'how long to wait: seconds, 30s, 10m, 12h, never (default: 300 seconds)')
      .option('--remind-after <duration>', 'remind people once, or never (default: as the chat or project says)')
      .option('--escalate <after:to>', 'pass it on: 30m:bob, 1h:dst_…; repeatable', collect)
      .option('--key <key>', 'idempotency key: the same key finds the same request, or its answer')
      .option('--context <json>', 'what surrounds the request, as JSON, @FILE, or - for stdin'),
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
  if (!isAnsweredHere && (exitCode !== EXIT.answered || isOnTerminal())) note(describeStatus(settled));
  // The outcome only counts the comments on a plan.
  const comments = settled.kind === 'plan_review' ? settled.answer?.comments : undefined;
  if (comments !== undefined) note(toFeedbackText({ comments }));
  if (options.json === true) printJson(settled);
  else if (settled.status === 'answered') {
    const text = toPlainAnswer(settled);
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
    ...(options.remindAfter !== undefined && { remindAfter: toRemindAfter(options.remindAfter) }),
    ...(options.escalate !== undefined && { escalate: toEscalations(options.escalate) }),
    ...(options.key !== undefined && { idempotencyKey: options.key }),
    ...(options.context !== undefined && { context: readJson(options.context, '--context') as ContextInput }),
  };
  if ((question === undefined) === (options.request === undefined)) {
    throw new BeckonError(
      'invalid_input',
      'Nothing to ask. Give a question, or --kind with --request. See: beckon ask --help',
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
  // The first Ctrl-C cancels the question, the second ends the process.
  const left = new AbortController();
  process.once('SIGINT', () => left.abort());
  // Unless this user has set one, the daemon's timeout applies.
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
    throw new BeckonError(
      'unreachable',
      `Beckon is not reachable, and the deadline of ${id} (${expiresAt}) has passed. See: beckon status`,
      {
        cause: error,
      },
    );
  }
}

/** Cancels the question. If somebody has already answered, their answer counts. */
async function cancel(beckon: Beckon, { id }: Interaction): Promise<Interaction> {
  try {
    const cancelled = await beckon.cancel({ id }, 'Ctrl-C in the terminal that asked');
    if (cancelled.length === 0) note('Somebody had already answered.');
    const interaction = await beckon.get(id);
    if (interaction !== null) return interaction;
  } catch (error) {
    if (!(error instanceof BeckonError) || error.code !== 'unreachable') throw error;
    const message = `Beckon is not reachable, so ${id} was not cancelled. Later, run: beckon cancel ${id}`;
    throw new BeckonError('unreachable', message, { cause: error });
  }
  throw new BeckonError('interaction_not_found', `Request ${id} no longer exists.`);
}

/** The interaction with the answer given here, or `null`. */
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
  const status = `${describeStatus(asked)} Others see the asker as ${describeAsker(asked)}.`;
  note(`asked ${asked.id}. ${status} Answer with: beckon answer ${asked.id}`);
  return null;
}

function isOnTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** The answer alone: the text, the decision, or JSON if it has several fields. */
function toPlainAnswer(interaction: Interaction): string {
  switch (interaction.kind) {
    case 'question':
      return interaction.answer?.text ?? '';
    case 'plan_review':
    case 'approval':
      return interaction.answer?.decision ?? '';
    case 'form':
      return JSON.stringify(interaction.answer?.values ?? {});
    case 'component':
      return JSON.stringify(interaction.answer ?? {});
  }
}
