import { ALLOW_ANYWAY } from '../../core/words.ts';
import { toAnswerText } from '../../presentation/answer-text.ts';
import { describeOutcome } from '../../presentation/describe-outcome.ts';
import { describeRisk } from '../../presentation/describe-risk.ts';
import { toHeadline } from '../../presentation/headline.ts';
import { DECISION_NAMES, DECISION_SIGNS, describeStep, RISK_SIGNS } from '../../presentation/names.ts';
import { describePlace } from '../../presentation/place.ts';
import { toJsonText, toVisible, toVisibleLine } from '../../presentation/visible.ts';
import { describeAsker } from '../../presentation/who.ts';
import type { ContextFile } from '../../protocol/context.ts';
import { toDecision } from '../../protocol/decision.ts';
import type { Interaction, InteractionOf } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { RiskLevel } from '../../protocol/risk.ts';
import { ownText } from '../../protocol/tool-input.ts';
import { assessRisk } from '../../risk/assess-risk.ts';
import { toChanges } from './changes.ts';
import { MOST_OPTIONS } from './choices.ts';
import { cutText, type MessageText, type Piece, toMessages } from './split.ts';

/** The longest text of one message. */
export const MESSAGE_CHARS = 4096;
/** Room in every message for the line that says how it ended. */
const OUTCOME_CHARS = 500;
const PART_CHARS = MESSAGE_CHARS - OUTCOME_CHARS - 2;
/** A text that needs more messages is sent as a document. */
const MOST_PARTS = 4;
const EXCERPT_CHARS = 1500;
/** The agent's last message, and the answers to earlier steps, leave room for what is asked. */
const WHY_LINES = 3;
const WHY_CHARS = 200;
const EARLIER_CHARS = 100;
/** A phone is small: the gravest come first. */
const MOST_REASONS = 3;
const SECOND = 'Allow it all the same? Nothing was sent yet.';

/** What is sent for an interaction, in order; the last message has the buttons. */
export interface Rendered {
  document?: { name: string; text: string };
  messages: MessageText[];
}

/** What else is shown with an interaction. */
export interface Surroundings {
  /** The answers to earlier steps of its call, one on a line. */
  earlier?: readonly string[];
  /** The files of its context. */
  files?: readonly ContextFile[];
  /** Whether somebody allowed it although it is dangerous, and must say so again. */
  isSecond?: boolean;
}

/** Turns an interaction into Telegram messages. The agent's text is data: nothing in it is read as markup. */
export function render(
  interaction: Interaction,
  { earlier = [], files = [], isSecond = false }: Surroundings = {},
): Rendered {
  const { title: what, body, name } = describe(interaction, files);
  const title = [what, describeStep(interaction)].filter(Boolean).join(' · ');
  const place = describePlace(interaction);
  const why = toWhy(interaction);
  const risk = assessRisk(interaction);
  const care = risk.level === 'routine' ? '' : `${RISK_SIGNS[risk.level]} ${describeRisk(risk, MOST_REASONS)}`;
  const head: Piece[] = [
    ...(place === '' ? [] : [{ text: `${place}\n` }]),
    { text: toVisibleLine(title, 200, interaction.kind === 'approval' ? 'code' : 'prose'), style: 'bold' },
    { text: `\nfrom ${describeAsker(interaction)}\n` },
    ...(care === '' ? [] : [{ text: care, style: 'bold' as const }, { text: '\n' }]),
    ...(why === '' ? [] : [{ text: `${why}\n` }]),
    ...earlier.map((line) => ({ text: `${line}\n` })),
    { text: '\n' },
  ];
  const foot: Piece[] = [{ text: `\n\n${isSecond ? `${care}.\n${SECOND}` : toHint(interaction, risk.level)}` }];
  const shown = body.map((piece) => ({
    ...piece,
    text: toVisible(piece.text, piece.style === 'pre' ? 'code' : 'prose'),
  }));
  const messages = toMessages([...head, ...shown, ...foot], PART_CHARS);
  if (messages.length <= MOST_PARTS) return { messages };
  const whole = shown.map(({ text }) => text).join('');
  const note = `All ${whole.length} characters are in the document above. It begins:\n\n`;
  const excerpt: Piece[] = [{ text: note }, { text: cutText(whole, EXCERPT_CHARS) }];
  return { document: { name, text: whole }, messages: toMessages([...head, ...excerpt, ...foot], PART_CHARS) };
}

/** What became of the steps of a call before this one, a line each: "✓ Database: SQLite". */
export function toEarlierLines(steps: readonly Interaction[]): string[] {
  return steps.map((step) => {
    const name = (step.kind === 'question' && step.request.header) || toHeadline(step, EARLIER_CHARS);
    const { answer } = step;
    const outcome = answer === undefined ? DECISION_NAMES[toDecision(step)] : toAnswerText(answer, step);
    return toVisibleLine(`${answer === undefined ? '–' : '✓'} ${name}: ${outcome}`, 2 * EARLIER_CHARS);
  });
}

/** How an interaction ended, cut to the room there is. */
export function toOutcomeText(interaction: Interaction): string {
  return cutText(
    [DECISION_SIGNS[toDecision(interaction)], describeOutcome(interaction)].join(' ').trim(),
    OUTCOME_CHARS,
  );
}

/** A message with the outcome below it. */
export function withOutcome(message: MessageText, interaction: Interaction): MessageText {
  const outcome = toOutcomeText(interaction);
  const offset = message.text.length + 2;
  return {
    text: `${message.text}\n\n${outcome}`,
    entities: [...message.entities, { type: 'bold', offset, length: outcome.length }],
  };
}

/** The agent's last message, in up to three lines. */
function toWhy({ context }: Interaction): string {
  const lines = (context?.message ?? '').split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return '';
  const rest = lines.length > WHY_LINES ? ' …' : '';
  const shown = lines.slice(0, WHY_LINES).map((line) => toVisibleLine(line, WHY_CHARS));
  return `Why: “${shown.join('\n')}${rest}”`;
}

function describe(
  interaction: Interaction,
  files: readonly ContextFile[],
): { title: string; body: Piece[]; name: string } {
  switch (interaction.kind) {
    case 'question':
      return {
        title: interaction.request.header || 'Question',
        body: toQuestionBody(interaction),
        name: 'question.txt',
      };
    case 'plan_review':
      return { title: 'Plan review', body: [{ text: interaction.request.plan }], name: 'plan.md' };
    case 'approval':
      return { title: `Allow ${interaction.request.tool}?`, ...describeCall(interaction, files) };
    case 'form':
      return { title: 'Form', body: [{ text: interaction.request.message }], name: 'form.txt' };
    case 'component':
      return {
        title: 'Screen',
        body: [
          { text: 'An agent shows a screen and waits for you.\n\n' },
          { text: toJsonText(interaction.request.components, 2), style: 'pre' },
        ],
        name: 'screen.json.txt',
      };
  }
}

function describeCall(
  interaction: InteractionOf<'approval'>,
  files: readonly ContextFile[],
): { body: Piece[]; name: string } {
  const { tool, input, description } = interaction.request;
  const command = tool === 'Bash' ? ownText(input, 'command') : undefined;
  if (command !== undefined) return { body: toCommandBody(command, input, description), name: 'command.txt' };
  const changes = toChanges(interaction, files);
  const headline = toHeadline(interaction);
  const about: Piece[] = [
    ...(headline === tool ? [] : [{ text: `${headline}\n`, style: 'bold' as const }]),
    // The headline has the description of some calls in it.
    ...(description && !headline.includes(description) ? [{ text: `${description}\n` }] : []),
    { text: '\n' },
  ];
  if (changes.length > 0) return { body: [...about, ...changes], name: 'changes.diff.txt' };
  return { body: [...about, { text: toJsonText(input, 2), style: 'pre' }], name: 'input.json.txt' };
}

/** The command as it would run, below what the agent says of it, and above the rest of the input. */
function toCommandBody(command: string, input: JsonObject, description: string | undefined): Piece[] {
  const about = ownText(input, 'description') ?? description ?? '';
  const rest = Object.fromEntries(
    Object.entries(input).filter(([name, value]) => name !== 'command' && !(name === 'description' && value === about)),
  );
  return [
    ...(about === '' ? [] : [{ text: `${about}\n\n` }]),
    { text: command, style: 'pre' },
    ...(Object.keys(rest).length === 0 ? [] : [{ text: '\n' }, { text: toJsonText(rest, 2), style: 'pre' as const }]),
  ];
}

function toQuestionBody({ request }: InteractionOf<'question'>): Piece[] {
  const options = request.options.flatMap(({ label, description, preview }, index): Piece[] => [
    { text: `${index === 0 ? '\n\n' : '\n'}${index + 1}. ${label}${description ? `: ${description}` : ''}` },
    ...(preview ? [{ text: '\n' }, { text: preview, style: 'pre' as const }] : []),
  ]);
  return [{ text: request.question }, ...options];
}

function toHint(interaction: Interaction, level: RiskLevel): string {
  const { expiresAt, id } = interaction;
  const until = expiresAt === undefined ? '' : ` It waits until ${expiresAt.slice(0, 16).replace('T', ' ')} UTC.`;
  switch (interaction.kind) {
    case 'question': {
      const { options, multiSelect } = interaction.request;
      if (options.length === 0) return `Reply with your answer.${until}`;
      const many = options.length > MOST_OPTIONS ? ` Options after ${MOST_OPTIONS} have no button: type them.` : '';
      const how = multiSelect === true ? 'Mark what applies and press Done' : 'Press a button';
      return `${how}, or reply in your own words.${many}${until}`;
    }
    case 'plan_review':
      return `Press a button, or reply with what should change.${until}`;
    case 'approval':
      if (level === 'dangerous') {
        return `Press a button; Allow asks once more. A reply other than “${ALLOW_ANYWAY}” does not allow it.${until}`;
      }
      return `Press a button. A reply other than a plain yes denies it, with your words as the reason.${until}`;
    case 'form':
    case 'component':
      return `This cannot be answered in Telegram. On the computer: beckon answer ${id}${until && `.${until}`}`;
  }
}
