import { toDecision } from '../protocol/decision.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { Risk } from '../protocol/risk.ts';
import { toAnswerText } from './answer-text.ts';
import { toHeadline } from './headline.ts';
import { toVisible } from './visible.ts';
import { nameAnswerer } from './who.ts';

/** A request, with its risk if somebody has assessed it: this room may not. */
type Exported = Interaction & { risk?: Pick<Risk, 'level'> };

/** The columns of an exported history, and what each says about a request. */
const COLUMNS: readonly (readonly [name: string, read: (interaction: Exported) => string | undefined])[] = [
  ['id', ({ id }) => id],
  ['asked at', ({ createdAt }) => createdAt],
  ['settled at', ({ settledAt }) => settledAt],
  ['project', ({ context }) => context?.project],
  ['branch', ({ context }) => context?.branch],
  ['session', ({ sessionId }) => sessionId],
  ['kind', ({ kind }) => kind],
  ['headline', (interaction) => toHeadline(interaction)],
  ['risk', ({ risk }) => risk?.level],
  ['decision', (interaction) => toDecision(interaction)],
  ['person', ({ answeredBy }) => answeredBy && nameAnswerer(answeredBy)],
  ['via', ({ answeredBy }) => answeredBy?.via],
  ['answer', (interaction) => interaction.answer && toAnswerText(interaction.answer, interaction)],
  ['reason', ({ reason }) => reason],
];

/** The first line of an exported history, as RFC 4180 wants it. */
export const HISTORY_CSV_HEAD = toLine(COLUMNS.map(([name]) => name));

/** A request as one line of an exported history. */
export function toHistoryCsvLine(interaction: Exported): string {
  return toLine(COLUMNS.map(([, read]) => toVisible(read(interaction) ?? '')));
}

function toLine(cells: readonly string[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

/** A spreadsheet takes some beginnings for a formula, and would run what an agent wrote; an apostrophe stops it. */
function toCell(text: string): string {
  const plain = /^[\s]*[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
