import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import * as clack from '@clack/prompts';
import { type CANCEL_SYMBOL, isCancel } from '@clack/prompts';
import { toVisible, toVisibleLine } from '../presentation/visible.ts';
import { describeAsker } from '../presentation/who.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { toKindText } from './describe.ts';
import type { EditText } from './edit-text.ts';
import type { Choice } from './menu-rows.ts';
import { page } from './pager.ts';
import type { Screen } from './screen.ts';
import { cut, wrap } from './text-layout.ts';

/** What the prompts share. They close when the signal aborts. */
export interface PromptContext {
  screen: Screen;
  signal: AbortSignal;
  editText: EditText;
  /** The line above everything, where the prompts have the screen to themselves. Default: none. */
  heading?: string;
  /** Whether a prompt was there before: then somebody may go on typing at once. Set by the first one. */
  hasPrompted?: boolean;
}

/** Rows around a text: the heading above it, the frame, and the title. */
const NOTE_ROWS = 6;
/** Rows that a prompt for one line needs, with what it says of a line that does not fit. */
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

/** The streams and the signal, as the prompts of clack take them. */
export interface ClackOptions {
  input: PassThrough;
  output: Screen['output'];
  signal: AbortSignal;
}

/** Runs one prompt and gives its value. Throws `PromptLeft` where there is none. Clack gets the keys that the screen lets through. */
export async function prompt<Value>(
  context: PromptContext,
  run: (options: ClackOptions) => Promise<Value | typeof CANCEL_SYMBOL>,
  { isTyped = false, ...use }: { isTyped?: boolean; decides?: readonly string[] } = {},
): Promise<Value> {
  const { screen, signal } = context;
  const keys = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const typing = isTyped ? (context.hasPrompted === true ? 'next' : 'first') : undefined;
  context.hasPrompted = true;
  let wantsOut = false;
  // Clack goes on listening to its signal after the prompt has ended, and would write to the screen again.
  const closing = new AbortController();
  const close = (): void => closing.abort();
  if (signal.aborted) close();
  signal.addEventListener('abort', close);
  const answering = run({ input: keys, output: screen.output, signal: closing.signal });
  const stop = screen.listen(
    ({ name, isCtrl }, keypress) => {
      // Clack does not tell Esc from Ctrl-C.
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
    // Node stops reading a moment after a pause: whoever resumes before that would never hear a key.
    await setImmediate();
  }
}

/** Lets the person choose one of several things. */
export async function choose<Value extends string | number>(
  context: PromptContext,
  message: string,
  options: readonly Choice<Value>[],
  initialValue?: Value,
): Promise<Value> {
  const places = options.map(({ label, hint }, value) => ({ value, label, ...(hint !== undefined && { hint }) }));
  const start = options.findIndex(({ value }) => value === initialValue);
  const chosen = await prompt(context, (shared) =>
    clack.select<number>({ ...shared, message, options: places, initialValue: Math.max(0, start) }),
  );
  const found = options[chosen];
  if (found === undefined) throw new PromptLeft(false);
  return found.value;
}

/** Asks for words. */
export async function promptForText(context: PromptContext, message: string): Promise<string> {
  const validate = (text: string | undefined): string | undefined =>
    text?.trim() ? undefined : 'Type an answer, or press Esc to go back.';
  return prompt(context, (shared) => clack.text({ ...shared, message, validate }), { isTyped: true });
}

/**
 * Shows a text above the prompt, or in a pager where the screen is too small for both. The text is ready for a terminal.
 * `promptRows` are those that the prompt takes.
 */
export async function present(
  context: PromptContext,
  title: string,
  text: string,
  promptRows = LINE_ROWS,
): Promise<void> {
  const { output, columns, rows } = context.screen;
  const lines = wrap(text, columns - 6);
  if (lines.length + NOTE_ROWS + promptRows <= rows) {
    clack.note(lines.join('\n'), cut(title, columns - 6), { output, format: (line) => line });
    return;
  }
  await read(context, title, text);
  const size = lines.length === 1 ? '1 line' : `${lines.length} lines`;
  clack.log.message(cut(`${title}: ${size}`, columns - 4), { output });
}

/** Opens the pager, whatever the size of the screen. */
export async function read(context: PromptContext, title: string, text: string): Promise<void> {
  const end = await page(context.screen, title, text, context.signal);
  if (end !== 'done') throw new PromptLeft(end === 'leave');
  begin(context);
}

/** Begins an empty screen below the heading. Without a screen of its own it leaves the person's as it is. */
export function begin({ screen, heading }: PromptContext): void {
  screen.clear();
  if (heading !== undefined) clack.intro(heading, { output: screen.output });
}

/** Says where a question comes from, and how to leave it. */
export function toHeading({ columns }: Screen, interaction: Interaction): string {
  const chat = toVisibleLine(interaction.chatId, undefined, 'code');
  const keys = ' (Esc goes back)';
  // Who asks comes first: an agent that makes the name of its chat long must not push it off the line.
  return (
    cut(`${toKindText(interaction)} from ${describeAsker(interaction)} in ${chat}`, columns - keys.length - 4) + keys
  );
}

/** Says something above the next prompt. */
export function remark({ screen }: PromptContext, text: string): void {
  clack.log.warn(toVisible(text), { output: screen.output });
}
