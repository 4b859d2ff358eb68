import { setImmediate } from 'node:timers/promises';
import * as clack from '@clack/prompts';
import { type CANCEL_SYMBOL, isCancel } from '@clack/prompts';
import { toKindText } from '../presentation/names.ts';
import { toVisible, toVisibleLine } from '../presentation/visible.ts';
import { describeAsker } from '../presentation/who.ts';
import type { Context } from '../protocol/context.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { EditText } from './edit-text.ts';
import { type Choice, type ClackOptions, countMenuRows, countRows, createKeys, type Menu, openMenu } from './menu.ts';
import { page } from './pager.ts';
import type { Screen, TerminalOutput } from './screen.ts';
import { cut, wrap } from './text-layout.ts';

/** What the prompts share. They close when the signal aborts. */
export interface PromptContext {
  screen: Screen;
  signal: AbortSignal;
  editText: EditText;
  /** The line above everything, if the prompts have the screen to themselves. Default: none. */
  heading?: string;
  /** What surrounds the request, if it is known. */
  around?: Context | null;
  /** Whether there was a prompt before this one: then the person may go on typing at once. Set by the first one. */
  hasPrompted?: boolean;
}

/** The columns that clack's frame takes beside a text. */
export const NOTE_MARGIN = 6;
/** The rows that a prompt for one line takes, with room for an error. */
const LINE_ROWS = 6;

/** The person left the prompt, or it was closed. `wantsOut`: with Ctrl-C, not with Esc. */
export class PromptLeft extends Error {
  override readonly name = 'PromptLeft';
  readonly wantsOut: boolean;

  constructor(wantsOut: boolean) {
    super('The person left the prompt.');
    this.wantsOut = wantsOut;
  }
}

/** Runs one prompt and gives its value; throws `PromptLeft` if there is none. Clack gets only the keys that count. */
export async function prompt<Value>(
  context: PromptContext,
  run: (options: ClackOptions) => Promise<Value | typeof CANCEL_SYMBOL>,
  { isTyped = false, ...use }: { isTyped?: boolean; decides?: readonly string[] } = {},
): Promise<Value> {
  const { screen, signal } = context;
  const keys = createKeys();
  const typing = isTyped ? (context.hasPrompted === true ? 'next' : 'first') : undefined;
  context.hasPrompted = true;
  let wantsOut = false;
  // Clack listens to its signal even after the prompt has ended, and would write to the screen again.
  const closing = new AbortController();
  const close = (): void => closing.abort();
  if (signal.aborted) close();
  signal.addEventListener('abort', close);
  const answering = run({ input: keys, output: screen.output, signal: closing.signal });
  const stop = screen.listen(
    ({ name, isCtrl }, keypress) => {
      // Clack reports Esc and Ctrl-C alike.
      wantsOut = isCtrl && name === 'c';
      keys.emit('keypress', ...keypress);
    },
    () => undefined,
    { ...use, typing },
  );
  try {
    const value = await answering;
    if (isCancel(value)) throw new PromptLeft(wantsOut);
    return value as Value;
  } finally {
    stop();
    signal.removeEventListener('abort', close);
    screen.rest();
    // Node stops reading a moment after a pause: a resume before that would never bring a key.
    await setImmediate();
  }
}

/** Lets the person choose one of several things. */
export async function choose<Value extends string | number>(
  context: PromptContext,
  message: string,
  choices: readonly Choice<Value>[],
  initialValue?: Value,
): Promise<Value> {
  const start = choices.findIndex(({ value }) => value === initialValue);
  const [chosen] = await prompt(context, (shared) => openMenu(shared, { message, choices }, Math.max(0, start)));
  if (chosen === undefined) throw new PromptLeft(false);
  return chosen;
}

/** Lets the person choose any number of things, but at least one. */
export async function chooseSeveral<Value>(
  context: PromptContext,
  message: string,
  choices: readonly Choice<Value>[],
): Promise<Value[]> {
  return prompt(context, (shared) => openMenu(shared, { message, choices, isMultiple: true }, 0));
}

/** Asks for a text. */
export async function promptForText(context: PromptContext, message: string): Promise<string> {
  const validate = (text: string | undefined): string | undefined =>
    text?.trim() ? undefined : 'Type an answer, or press Esc to go back.';
  return prompt(context, (shared) => clack.text({ ...shared, message, validate }), { isTyped: true });
}

/**
 * Shows a text above the prompt, or in a pager if the screen is too small for both. The text is ready for a terminal.
 * `menu` is the one that follows; without it, a prompt for one line does.
 */
export async function present(
  context: PromptContext,
  title: string,
  text: string,
  menu?: Menu<string | number>,
): Promise<void> {
  const { output, columns, rows } = context.screen;
  const lines = wrap(text, columns - NOTE_MARGIN);
  const show = (where: TerminalOutput): void =>
    clack.note(lines.join('\n'), cut(title, columns - NOTE_MARGIN), { output: where, format: (line) => line });
  const textRows = countRows(columns, (sketch) => {
    showHeading(context, sketch);
    show(sketch);
  });
  const promptRows = menu === undefined ? LINE_ROWS : countMenuRows(columns, menu);
  // The prompt begins on the row that the text ends on.
  if (textRows - 1 + promptRows <= rows) return show(output);
  await read(context, title, text);
  const size = lines.length === 1 ? '1 line' : `${lines.length} lines`;
  clack.log.message(cut(`${title}: ${size}`, columns - NOTE_MARGIN), { output });
}

/** Opens the pager, whatever the size of the screen. */
export async function read(context: PromptContext, title: string, text: string): Promise<void> {
  const end = await page(context.screen, title, text, context.signal);
  if (end !== 'done') throw new PromptLeft(end === 'leave');
  begin(context);
}

/** Begins an empty screen below the heading. A screen that is not open stays as it is. */
export function begin(context: PromptContext): void {
  context.screen.clear();
  showHeading(context, context.screen.output);
}

function showHeading({ heading }: PromptContext, output: TerminalOutput): void {
  if (heading !== undefined) clack.intro(heading, { output });
}

/** Says who asks, where, and how to go back. */
export function toHeading({ columns }: Screen, interaction: Interaction): string {
  const chat = toVisibleLine(interaction.chatId, undefined, 'code');
  const keys = ' (Esc goes back)';
  // The asker comes first: a long chat name, which the agent chooses, must not push it off the line.
  return (
    cut(`${toKindText(interaction)} from ${describeAsker(interaction)} in ${chat}`, columns - keys.length - 4) + keys
  );
}

/** Shows a remark above the next prompt. */
export function remark({ screen }: PromptContext, text: string): void {
  clack.log.warn(toVisible(text), { output: screen.output });
}
