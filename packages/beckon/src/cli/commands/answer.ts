import type { Command } from 'commander';
import { connectRules } from '../../client/connect-rules.ts';
import type { Beckon } from '../../core/beckon.ts';
import { toTextAnswer } from '../../core/route-text.ts';
import type { Rules } from '../../core/rules.ts';
import { isAllowAnyway, normalize } from '../../core/words.ts';
import { describeOutcome } from '../../presentation/describe-outcome.ts';
import { describeRisk } from '../../presentation/describe-risk.ts';
import { toKindText } from '../../presentation/names.ts';
import { describeAsker } from '../../presentation/who.ts';
import { toQuestionAbilities } from '../../protocol/abilities.ts';
import type { AnswerInput, PlanComment } from '../../protocol/answers.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import type { Risk } from '../../protocol/risk.ts';
import type { Rule } from '../../protocol/rule.ts';
import { isDangerous } from '../../risk/is-dangerous.ts';
import { answerAlike } from '../answer-alike.ts';
import { addClientOptions, type ClientOptions, type Connection, withBeckon } from '../client.ts';
import { collect, createCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { readJson } from '../json-argument.ts';
import { note, print, printJson } from '../output.ts';
import { confirmDanger, findDanger } from '../refuse-dangerous.ts';
import { toWho } from '../who.ts';

interface AnswerOptions extends ClientOptions {
  select?: string[];
  allow?: boolean;
  deny?: boolean | string;
  decision?: string;
  feedback?: string;
  comment?: string[];
  values?: string;
  answer?: string;
  anyway?: boolean;
  remember?: boolean;
  rule?: boolean;
  all?: boolean;
  like?: string;
  yes?: boolean;
}

export function createAnswer(): Command {
  return addClientOptions(
    createCommand('answer', {
      summary: 'Answer a request. The first valid answer wins.',
      examples: [
        ['beckon answer int_… "after lunch"', 'answer a question in your own words'],
        ['beckon answer int_… --select yes', 'choose an option of a question'],
        ['beckon answer int_… --deny "not on a Friday"', 'deny an approval and say why'],
        ['beckon answer int_… --allow --anyway', 'allow an approval that is dangerous'],
        ['beckon answer int_… --allow --rule', 'allow it, and what is exactly like it from now on'],
        ['beckon answer --all --like int_… --allow', 'allow every pending approval like this one'],
        ['beckon answer int_… --decision adjust --feedback "smaller steps"', 'send a plan back'],
        ['beckon answer int_… --comment "4: not on a Friday"', 'send a plan back with a comment on its line 4'],
        [`beckon answer int_… --values '{"name":"Ada"}'`, 'fill in a form'],
        ['beckon answer int_…', 'show the request and prompt for the answer'],
      ],
      more: [
        'Exit codes: 0 accepted, 1 somebody had already answered or it had ended, or you did not confirm it,',
        '2 invalid answer, or a dangerous request without --anyway, 6 Beckon not reachable.',
        'With --all: 0 all were accepted, 1 at least one was not.',
      ].join('\n'),
    })
      .argument('[id]', 'id of the request, from "beckon list"')
      .argument('[text]', 'the answer in words; "yes" or "no" for an approval or a plan')
      .option('--select <label>', 'choose an option; repeatable', collect)
      .option('--allow', 'allow an approval')
      .option('--deny [message]', 'deny an approval, and say why')
      .option('--anyway', 'with --allow: even if it is dangerous; on a terminal you are asked instead')
      .option('--rule', 'with --allow: make a rule of Beckon from it, the narrowest one')
      .option('--remember', 'with --allow: let the agent remember its own rule')
      .option('--all', 'with --like: answer every pending approval like that one')
      .option('--like <id>', 'with --all: id of the request that the others are like')
      .option('--yes', 'with --all: do not ask')
      .option('--decision <word>', 'decide on a plan: edit, clean_edit, default, adjust')
      .option('--feedback <text>', 'what should change in a plan')
      .option('--comment <line: text>', 'comment on a line of a plan, and send it back; repeatable', collect)
      .option('--values <json>', 'the values of a form as JSON, @FILE, or - for stdin')
      .option('--answer <json>', 'the whole answer as JSON, @FILE, or - for stdin'),
  ).action(runAnswer);
}

async function runAnswer(id: string | undefined, text: string | undefined, options: AnswerOptions): Promise<void> {
  const given = toGivenAnswer(options);
  const isGiven = given !== null || options.comment !== undefined;
  if (isGiven && text !== undefined && options.select === undefined) {
    throw new BeckonError(
      'invalid_input',
      'Give either a text or an option such as --allow. See: beckon answer --help',
    );
  }
  refuseUnfit(id, options);
  if (options.like !== undefined) return runAlike(options.like, given, options);
  if (id === undefined) {
    throw new BeckonError('invalid_input', 'Name the request: beckon answer ID. See: beckon list');
  }
  await withBeckon(options, async (beckon, _config, connection) => {
    if (options.select !== undefined) refuseNotOffered(await beckon.get(id), options.select);
    if (options.comment !== undefined) {
      const interaction = await beckon.get(id);
      if (interaction === null) throw toUnknown(id);
      return offer(beckon, id, { ...given, comments: toComments(interaction, options.comment) }, options);
    }
    if (given !== null) {
      const answer = text === undefined ? given : { ...given, notes: text };
      return offer(beckon, id, answer, { ...options, connection });
    }
    const interaction = await beckon.get(id);
    if (interaction === null) throw toUnknown(id);
    if (text === undefined) return promptForIt(beckon, interaction, options);
    const answer = toTextAnswer(interaction, text, isDangerous);
    if (answer === null) throw toWordless(interaction);
    const isAnyway = options.anyway === true || isAllowAnyway(text);
    return offer(beckon, id, answer === 'dangerous' ? { decision: 'allow' } : answer, { ...options, anyway: isAnyway });
  });
}

/** Options that belong to others. */
function refuseUnfit(
  id: string | undefined,
  { allow, deny, anyway, remember, rule, all, like, yes }: AnswerOptions,
): void {
  const refuse = (message: string): never => {
    throw new BeckonError('invalid_input', `${message} See: beckon answer --help`);
  };
  if (allow !== true && (remember ?? rule) === true) refuse('--rule and --remember go with --allow.');
  if (remember === true && rule === true) refuse('Give either --rule, for Beckon, or --remember, for the agent.');
  if ((all === true) !== (like !== undefined)) refuse('--all goes with --like ID.');
  if (like === undefined) {
    if (yes === true) refuse('--yes goes with --all.');
    return;
  }
  if (id !== undefined) refuse('--like names the request, so leave out the other id.');
  if (allow !== true && deny === undefined) refuse('--all goes with --allow or --deny.');
  if ((anyway ?? remember ?? rule) === true) refuse('--anyway, --rule and --remember are for one request.');
}

function runAlike(like: string, answer: AnswerInput | null, options: AnswerOptions): Promise<void> {
  return withBeckon(options, (beckon) =>
    answerAlike(beckon, {
      like,
      answer: answer ?? { decision: 'deny' },
      isSure: options.yes === true,
      isJson: options.json === true,
    }),
  );
}

function toGivenAnswer(options: AnswerOptions): AnswerInput | null {
  const { select, allow, remember, deny, decision, feedback, values, answer } = options;
  const ways: (AnswerInput | null)[] = [
    select === undefined ? null : { selected: select },
    allow === undefined ? null : { decision: 'allow', ...(remember === true && { remember }) },
    deny === undefined ? null : { decision: 'deny', ...(typeof deny === 'string' && { message: deny }) },
    decision === undefined && feedback === undefined
      ? null
      : { ...(decision !== undefined && { decision }), ...(feedback !== undefined && { feedback }) },
    values === undefined ? null : ({ values: readJson(values, '--values') } as AnswerInput),
    answer === undefined ? null : (readJson(answer, '--answer') as AnswerInput),
  ];
  const given = ways.filter((way) => way !== null);
  if (given.length > 1) throw new BeckonError('invalid_input', 'Give only one answer. See: beckon answer --help');
  return given[0] ?? null;
}

/** Adds to each comment the line of the plan that it belongs to. */
function toComments(interaction: Interaction, given: readonly string[]): PlanComment[] {
  const lines = interaction.kind === 'plan_review' ? interaction.request.plan.split(/\r\n?|\n/) : [];
  return given.map((text) => {
    const [, number = '', comment = ''] = /^\s*(\d+)\s*:(.*)$/s.exec(text) ?? [];
    const line = Number(number);
    const quote = lines[line - 1];
    if (quote === undefined) {
      throw new BeckonError(
        'invalid_input',
        `Expected --comment as LINE: TEXT with a line of the plan, 1 to ${lines.length}, got ${JSON.stringify(text)}.`,
      );
    }
    return { quote: quote.trim(), line, comment: comment.trim() };
  });
}

/** Your own words are a valid answer too, but `--select` must name an option of the question. */
function refuseNotOffered(interaction: Interaction | null, chosen: readonly string[]): void {
  if (interaction?.kind !== 'question') return;
  const labels = interaction.request.options.map(({ label }) => label);
  const known = new Set(labels.map(normalize));
  const unknown = chosen.find((label) => !known.has(normalize(label)));
  if (unknown === undefined) return;
  const offered =
    labels.length === 0 ? 'It has none' : `Its options: ${labels.map((label) => JSON.stringify(label)).join(', ')}`;
  const own = toQuestionAbilities(interaction.request).ownWords
    ? ` For your own words: beckon answer ${interaction.id} TEXT`
    : ' Its agent takes no other words.';
  throw new BeckonError(
    'invalid_answer',
    `${JSON.stringify(unknown)} is not an option of this question. ${offered}.${own}`,
  );
}

/** How an answer is sent. Without a connection, no rule can be made. */
interface OfferOptions extends AnswerOptions {
  connection?: Connection;
}

async function offer(beckon: Beckon, id: string, answer: AnswerInput, options: OfferOptions): Promise<void> {
  const { json, anyway, rule, remember, connection } = options;
  const isAllow = 'decision' in answer && answer.decision === 'allow';
  const asked = isAllow ? await beckon.get(id) : null;
  const danger = findDanger(asked, answer);
  if (asked !== null && danger !== null) {
    if (rule === true || remember === true) throw toNotRemembered(asked, danger);
    if (anyway !== true && !(await confirmDanger(asked, danger))) {
      note('Nothing was sent, so the request is still pending.');
      process.exitCode = EXIT.failed;
      return;
    }
  }
  const made =
    rule === true && connection !== undefined
      ? await makeRule(connectRules(connection.url, connection.access), id)
      : null;
  const { result, interaction } = await beckon.answer(id, answer, { who: toWho(), via: 'cli' });
  if (interaction === null) throw toUnknown(id);
  const counts = result === 'accepted' || result === 'repeated';
  if (json === true) printJson({ result, interaction, ...(made !== null && { rule: made.rule }) });
  else if (counts) print(result === 'repeated' ? 'Your answer had already been accepted.' : toThanks(interaction));
  else note(`${result === 'lost' ? 'Somebody had already answered.' : 'Too late.'} ${describeOutcome(interaction)}`);
  if (made !== null)
    note(`Beckon made the rule ${made.rule.id}: ${made.sentence} See: beckon rules show ${made.rule.id}`);
  if (remember === true && counts) note('The agent remembers its own rule. Beckon does not know it.');
  process.exitCode = counts ? EXIT.answered : EXIT.failed;
}

/** Makes the narrowest rule that would have decided a request. */
async function makeRule(rules: Rules, id: string): Promise<{ rule: Rule; sentence: string }> {
  const { offers, why } = await rules.offers(id);
  const [narrowest] = offers;
  if (narrowest === undefined) {
    throw new BeckonError('invalid_input', `No rule can be made from ${id}. ${why ?? ''} Nothing was sent.`);
  }
  return { rule: await rules.add(narrowest.draft), sentence: narrowest.sentence };
}

function toNotRemembered({ id }: Interaction, risk: Risk): BeckonError {
  return new BeckonError(
    'invalid_answer',
    `Nothing was sent, because what is dangerous is not remembered. ${describeRisk(risk)}. To allow it once: beckon answer ${id} --allow`,
  );
}

async function promptForIt(beckon: Beckon, interaction: Interaction, { json }: ClientOptions): Promise<void> {
  if (interaction.status !== 'pending') {
    note(`Too late. ${describeOutcome(interaction)}`);
    process.exitCode = EXIT.failed;
    return;
  }
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new BeckonError('invalid_input', 'No answer given. See: beckon answer --help');
  }
  note(`${toKindText(interaction)} from ${describeAsker(interaction)}`);
  const { promptForAnswer } = await import('../prompt.ts');
  const settledElsewhere = new AbortController();
  const leave = new AbortController();
  const watching = beckon.wait(interaction.id, { signal: leave.signal }).then(
    () => settledElsewhere.abort(),
    () => undefined, // The prompt goes on: sending the answer will tell.
  );
  const given = await promptForAnswer(beckon, interaction, settledElsewhere.signal);
  leave.abort();
  await watching;
  const isAnswered = typeof given !== 'string';
  const after = isAnswered ? given : await beckon.get(interaction.id);
  if (json === true) printJson({ result: isAnswered ? 'accepted' : 'late', interaction: after });
  if (given === 'closed' && after !== null) note(describeOutcome(after));
  if (given === 'left') note('You gave no answer, so the request is still pending.');
  process.exitCode = isAnswered ? EXIT.answered : EXIT.failed;
}

function toThanks(interaction: Interaction): string {
  return interaction.awaitingFeedback
    ? 'The plan waits for your feedback. Send it with: beckon answer ID --feedback "…"'
    : 'Your answer was accepted.';
}

function toUnknown(id: string): BeckonError {
  return new BeckonError('interaction_not_found', `No request with id ${JSON.stringify(id)}. See: beckon list`);
}

function toWordless({ kind }: Interaction): BeckonError {
  const option = kind === 'form' ? '--values' : '--answer';
  return new BeckonError(
    'invalid_answer',
    `A ${kind} cannot be answered with a text. Use ${option}. See: beckon answer --help`,
  );
}
