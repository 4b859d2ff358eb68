import type { Command } from 'commander';
import type { Beckon } from '../../core/beckon.ts';
import { toTextAnswer } from '../../core/route-text.ts';
import { normalize } from '../../core/words.ts';
import { describeOutcome } from '../../presentation/describe-outcome.ts';
import { describeAsker } from '../../presentation/who.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { toKindText } from '../../terminal/describe.ts';
import { addClientOptions, type ClientOptions, withBeckon } from '../client.ts';
import { collect, createCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { readJson } from '../json-argument.ts';
import { note, print, printJson } from '../output.ts';
import { toWho } from '../who.ts';

interface AnswerOptions extends ClientOptions {
  select?: string[];
  allow?: boolean;
  deny?: boolean | string;
  decision?: string;
  feedback?: string;
  values?: string;
  answer?: string;
}

export function createAnswer(): Command {
  return addClientOptions(
    createCommand('answer', {
      summary: 'Answer what an agent asked. The first valid answer wins.',
      examples: [
        ['beckon answer int_… "after lunch"', 'a question, in your own words'],
        ['beckon answer int_… --select yes', 'a question, by its option'],
        ['beckon answer int_… --deny "not on a Friday"', 'an approval'],
        ['beckon answer int_… --decision adjust --feedback "smaller steps"', 'a plan'],
        [`beckon answer int_… --values '{"name":"Ada"}'`, 'a form'],
        ['beckon answer int_…', 'on a terminal: shows it and asks you'],
      ],
      more: 'Exit codes: 0 it counts, 1 somebody was faster or it had ended, 2 it does not fit, 6 cannot reach Beckon.',
    })
      .argument('<id>', 'which interaction, as "beckon list" shows it')
      .argument('[text]', 'the answer in words; for an approval or a plan "yes" and "no" are understood')
      .option('--select <label>', 'choose an option; may be repeated', collect)
      .option('--allow', 'allow what an approval asks for')
      .option('--deny [message]', 'deny it, and say why')
      .option('--decision <word>', 'decide about a plan: edit, clean_edit, default, adjust')
      .option('--feedback <text>', 'what should change in a plan')
      .option('--values <json>', 'the values of a form, as JSON, @FILE, or - for stdin')
      .option('--answer <json>', 'the whole answer, as JSON, @FILE, or - for stdin'),
  ).action(runAnswer);
}

async function runAnswer(id: string, text: string | undefined, options: AnswerOptions): Promise<void> {
  const given = toGivenAnswer(options);
  if (given !== null && text !== undefined && options.select === undefined) {
    throw new BeckonError(
      'invalid_input',
      'Give a text or an option such as --allow, not both. See: beckon answer --help',
    );
  }
  await withBeckon(options, async (beckon) => {
    if (options.select !== undefined) refuseNotOffered(await beckon.get(id), options.select);
    if (given !== null) return offer(beckon, id, text === undefined ? given : { ...given, notes: text }, options);
    const interaction = await beckon.get(id);
    if (interaction === null) throw toUnknown(id);
    if (text === undefined) return promptForIt(beckon, interaction, options);
    const answer = toTextAnswer(interaction, text);
    if (answer === null) throw toWordless(interaction);
    return offer(beckon, id, answer, options);
  });
}

function toGivenAnswer(options: AnswerOptions): AnswerInput | null {
  const { select, allow, deny, decision, feedback, values, answer } = options;
  const ways: (AnswerInput | null)[] = [
    select === undefined ? null : { selected: select },
    allow === undefined ? null : { decision: 'allow' },
    deny === undefined ? null : { decision: 'deny', ...(typeof deny === 'string' && { message: deny }) },
    decision === undefined && feedback === undefined
      ? null
      : { ...(decision !== undefined && { decision }), ...(feedback !== undefined && { feedback }) },
    values === undefined ? null : ({ values: readJson(values, '--values') } as AnswerInput),
    answer === undefined ? null : (readJson(answer, '--answer') as AnswerInput),
  ];
  const given = ways.filter((way) => way !== null);
  if (given.length > 1) throw new BeckonError('invalid_input', 'Give one answer. See: beckon answer --help');
  return given[0] ?? null;
}

/** Own words are an answer too, but whoever names an option means one that there is. */
function refuseNotOffered(interaction: Interaction | null, chosen: readonly string[]): void {
  if (interaction?.kind !== 'question') return;
  const labels = interaction.request.options.map(({ label }) => label);
  const known = new Set(labels.map(normalize));
  const unknown = chosen.find((label) => !known.has(normalize(label)));
  if (unknown === undefined) return;
  const offered =
    labels.length === 0 ? 'It offers none' : `It offers ${labels.map((label) => JSON.stringify(label)).join(', ')}`;
  throw new BeckonError(
    'invalid_answer',
    `${JSON.stringify(unknown)} is no option of this question. ${offered}. In your own words: beckon answer ${interaction.id} TEXT`,
  );
}

async function offer(beckon: Beckon, id: string, answer: AnswerInput, { json }: ClientOptions): Promise<void> {
  const { result, interaction } = await beckon.answer(id, answer, { who: toWho(), via: 'cli' });
  if (interaction === null) throw toUnknown(id);
  const counts = result === 'accepted' || result === 'repeated';
  if (json === true) printJson({ result, interaction });
  else if (counts) print(result === 'repeated' ? 'The same answer was there already.' : toThanks(interaction));
  else note(`${result === 'lost' ? 'Somebody was faster.' : 'Too late.'} ${describeOutcome(interaction)}`);
  process.exitCode = counts ? EXIT.answered : EXIT.failed;
}

async function promptForIt(beckon: Beckon, interaction: Interaction, { json }: ClientOptions): Promise<void> {
  if (interaction.status !== 'pending') {
    note(`Too late. ${describeOutcome(interaction)}`);
    process.exitCode = EXIT.failed;
    return;
  }
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new BeckonError('invalid_input', 'Say what to answer. See: beckon answer --help');
  }
  note(`${toKindText(interaction)} from ${describeAsker(interaction)}`);
  const { promptForAnswer } = await import('../prompt.ts');
  const settledElsewhere = new AbortController();
  const leave = new AbortController();
  const watching = beckon.wait(interaction.id, { signal: leave.signal }).then(
    () => settledElsewhere.abort(),
    () => undefined, // The prompt goes on without it: the answer itself finds out.
  );
  const given = await promptForAnswer(beckon, interaction, settledElsewhere.signal);
  leave.abort();
  await watching;
  const isAnswered = typeof given !== 'string';
  const after = isAnswered ? given : await beckon.get(interaction.id);
  if (json === true) printJson({ result: isAnswered ? 'accepted' : 'late', interaction: after });
  if (given === 'closed' && after !== null) note(describeOutcome(after));
  if (given === 'left') note('Nothing was answered; it still waits.');
  process.exitCode = isAnswered ? EXIT.answered : EXIT.failed;
}

function toThanks(interaction: Interaction): string {
  return interaction.awaitingFeedback
    ? 'Say what should change: beckon answer ID --feedback "…"'
    : 'Answered. It counts.';
}

function toUnknown(id: string): BeckonError {
  return new BeckonError(
    'interaction_not_found',
    `There is no interaction with the id ${JSON.stringify(id)}. See: beckon list`,
  );
}

function toWordless({ kind }: Interaction): BeckonError {
  const option = kind === 'form' ? '--values' : '--answer';
  return new BeckonError('invalid_answer', `A text cannot answer a ${kind}. Use ${option}, see: beckon answer --help`);
}
