import { toAnswerText } from '../../presentation/answer-text.ts';
import { describeComponents } from '../../presentation/component-text.ts';
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
import { cutText } from './cut-text.ts';
import type { Piece } from './piece.ts';

/** The agent's last message, and the answers to earlier steps, leave room for what is asked. */
const WHY_LINES = 3;
const WHY_CHARS = 200;
const EARLIER_CHARS = 100;
/** A phone is small: the gravest come first. */
const MOST_REASONS = 3;
const SECOND = 'Allow it all the same? Nothing was sent yet.';

/** What else is shown with an interaction. */
export interface Surroundings {
  /** The answers to earlier steps of its call, one on a line. */
  earlier?: readonly string[];
  /** The files of its context. */
  files?: readonly ContextFile[];
  /** Whether somebody allowed it although it is dangerous, and must say so again. */
  isSecond?: boolean;
}

/** An interaction as a chat shows it. Hidden characters of agents' text are visible. */
export interface RequestText {
  /** Where it comes from, what it is, who asks, why it needs care, and why it is asked. */
  head: Piece[];
  body: Piece[];
  /** How to answer it, or the question behind the second step of what is dangerous. */
  foot: Piece[];
  /** The name of a document with the body, for a body that is too long. */
  name: string;
}

/** Puts an interaction into words, without any markup. `toHint` says how it is answered in this place. */
export function toRequestText(
  interaction: Interaction,
  { earlier = [], files = [], isSecond = false }: Surroundings,
  toHint: (level: RiskLevel) => string,
): RequestText {
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
  const shown = body.map((piece) => ({
    ...piece,
    text: toVisible(piece.text, piece.style === 'pre' ? 'code' : 'prose'),
  }));
  const foot = isSecond ? `${care}.\n${SECOND}` : toHint(risk.level);
  return { head, body: shown, foot: [{ text: `\n\n${foot}` }], name };
}

/** Until when an interaction waits, as a sentence after another; empty if it never ends. */
export function toUntil({ expiresAt }: Interaction): string {
  return expiresAt === undefined ? '' : ` It waits until ${expiresAt.slice(0, 16).replace('T', ' ')} UTC.`;
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

/** How an interaction ended, in at most so many characters. */
export function toOutcomeText(interaction: Interaction, most: number): string {
  return cutText([DECISION_SIGNS[toDecision(interaction)], describeOutcome(interaction)].join(' ').trim(), most);
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
          { text: describeComponents(interaction.request.components), style: 'pre' },
        ],
        name: 'screen.txt',
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
