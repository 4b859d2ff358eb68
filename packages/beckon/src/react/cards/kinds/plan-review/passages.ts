import type { PlanComment } from '../../../../protocol/index.ts';
import { toEditable } from './plan-edit.ts';

/** More of a passage than this helps nobody. */
const MOST_CHARS = 2_000;

/** The lines of a plan, as written. */
export function toLines(plan: string): string[] {
  return toEditable(plan).split('\n');
}

/** A passage of a plan, by its lines from 1, without the space around it. */
export function toQuote(plan: string, lines: { from: number; to: number }): string {
  return toLines(plan)
    .slice(lines.from - 1, lines.to)
    .join('\n')
    .trim()
    .slice(0, MOST_CHARS);
}

/** A passage that was selected on the page, and the line where it begins: in the block that begins at `from`. */
export function toSelected(plan: string, from: number, text: string): Pick<PlanComment, 'quote' | 'line'> {
  const quote = toEditable(text).trim().slice(0, MOST_CHARS);
  const first = toPlain(quote.split('\n')[0] ?? '').slice(0, 60);
  const at = toLines(plan)
    .slice(from - 1)
    .findIndex((line) => first !== '' && toPlain(line).includes(first));
  return { quote, line: at === -1 ? from : from + at };
}

/** Whether a passage is still in the plan. Line breaks and the marks of Markdown do not count. */
export function isStillIn(plan: string, quote: string): boolean {
  return toPlain(plan).includes(toPlain(quote));
}

// What is selected on the page has no marks, but the source has.
function toPlain(text: string): string {
  return text
    .replaceAll(/^[ \t]*(?:[-*+]|\d+[.)]|#{1,6}|>)[ \t]+/gm, '')
    .replaceAll(/[*_`~\\[\]|]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Whether a stored value is a list of comments. */
export function areComments(kept: unknown): kept is PlanComment[] {
  return (
    Array.isArray(kept) &&
    kept.every((one: Partial<Record<keyof PlanComment, unknown>> | null) => {
      return typeof one?.quote === 'string' && Number.isSafeInteger(one.line) && typeof one.comment === 'string';
    })
  );
}
