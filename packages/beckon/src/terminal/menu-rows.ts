import { stripVTControlCharacters } from 'node:util';
import { MULTISELECT_INSTRUCTIONS } from '@clack/prompts';
import { wrap } from './text-layout.ts';

/** One thing to choose. The hint is shown while it is the chosen one. */
export interface Choice<Value> {
  value: Value;
  label: string;
  hint?: string;
}

/** What clack leaves free beside a text: its bar. */
const BAR_COLUMNS = 3;
/** The same beside an option. It counts the codes of the bar's colour too. */
const OPTION_COLUMNS = 13;
/** The bar above the message, the end of the bar, and the row of the cursor. */
const FRAME_ROWS = 3;
/** The longest line of keys that a menu ends with. */
const KEYS = stripVTControlCharacters(MULTISELECT_INSTRUCTIONS.join(' • '));

/** How many rows of a terminal a menu of clack takes, at most. */
export function countMenuRows(columns: number, message: string, options: readonly Choice<unknown>[]): number {
  const count = (text: string, margin: number): number => wrap(text, columns - margin).length;
  const countOption = (label: string): number => count(`● ${label}`, OPTION_COLUMNS);
  const rows = options.reduce((sum, { label }) => sum + countOption(label), 0);
  const hintRows = options.map(({ label, hint }) =>
    hint === undefined ? 0 : countOption(`${label} (${hint})`) - countOption(label),
  );
  return FRAME_ROWS + count(message, BAR_COLUMNS) + rows + Math.max(0, ...hintRows) + count(KEYS, BAR_COLUMNS);
}
