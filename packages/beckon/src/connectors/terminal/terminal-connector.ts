import type { AnswerResult } from '../../core/beckon.ts';
import type { Connector, Inbound } from '../../core/connector.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { answerHere } from '../../terminal/answer-here.ts';
import { showClosed } from '../../terminal/closed-screen.ts';
import { createEditText, type EditText } from '../../terminal/edit-text.ts';
import { InboxList, toChatNotice, toClosing } from '../../terminal/inbox-list.ts';
import type { KeyTimes } from '../../terminal/key-guard.ts';
import { pick } from '../../terminal/list-screen.ts';
import { begin, type PromptContext, PromptLeft, toHeading } from '../../terminal/prompt-context.ts';
import { Screen, type TerminalInput, type TerminalOutput } from '../../terminal/screen.ts';

export interface TerminalOptions {
  /** Where keys come from. */
  input: TerminalInput;
  /** Where the screen is. */
  output: TerminalOutput;
  /** The person at this terminal, as others see them: "dev@laptop". */
  who: string;
  /** The one chat that is shown here. Default: every chat. */
  chatId?: string;
  /** Names the editor: `VISUAL` or `EDITOR`. Default: none, so vi. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Edits a text. Default: the editor that `env` names. */
  editText?: EditText;
  /** The time, for the ages in the list. Default: the system's. */
  now?: () => number;
  /** How long keys are guarded against haste. Default: `KEY_TIMES`. */
  keyTimes?: KeyTimes;
}

/** A terminal, with a promise that resolves when the person quits, and rejects if the screen fails. */
export interface TerminalConnector extends Connector {
  readonly left: Promise<void>;
}

/** Shows pending interactions in a live list, to be answered with the keyboard. Draws from `start` to `stop`. */
export function createTerminalConnector(options: TerminalOptions): TerminalConnector {
  return new Terminal(options);
}

/** What the person has open. `settled` is set as soon as it is settled, here or elsewhere. */
interface Opened {
  readonly id: string;
  readonly closing: AbortController;
  settled?: Interaction;
}

class Terminal implements TerminalConnector {
  readonly name = 'terminal';
  readonly showsGroups = true;
  readonly left: Promise<void>;
  readonly #options: TerminalOptions;
  readonly #screen: Screen;
  readonly #list = new InboxList();
  readonly #stopping = new AbortController();
  readonly #leave: PromiseWithResolvers<void>;
  /** Answered here, but not yet reported as settled. */
  readonly #answered = new Set<string>();
  #opened: Opened | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.#screen = new Screen(options.input, options.output, options.keyTimes);
    this.#leave = Promise.withResolvers();
    this.left = this.#leave.promise;
  }

  reaches(chatId: string): boolean {
    return this.#options.chatId === undefined || this.#options.chatId === chatId;
  }

  async start(inbound: Inbound): Promise<void> {
    this.#screen.open();
    this.#running = this.#run(inbound)
      .finally(() => this.#screen.close())
      .then(this.#leave.resolve, this.#leave.reject);
  }

  async show(interaction: Interaction): Promise<void> {
    if (interaction.status !== 'pending') return this.settle(interaction);
    this.#list.put(interaction);
  }

  async settle(interaction: Interaction): Promise<void> {
    const { id } = interaction;
    const wasListed = this.#list.get(id) !== undefined;
    this.#list.remove(id);
    if (this.#opened?.id === id) {
      this.#opened.settled = interaction;
      this.#opened.closing.abort();
    } else if (!this.#answered.delete(id) && wasListed) {
      this.#list.notice(toClosing(interaction));
    }
  }

  async prompt(chatId: string, text: string): Promise<void> {
    this.#list.notice(toChatNotice(chatId, text));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(inbound: Inbound): Promise<void> {
    const { now = Date.now } = this.#options;
    for (;;) {
      const picked = await pick(this.#screen, this.#list, { now, signal: this.#stopping.signal });
      if (picked === 'leave') return;
      const interaction = this.#list.get(picked.open);
      if (interaction !== undefined && (await this.#open(interaction, inbound)) === 'leave') return;
    }
  }

  async #open(interaction: Interaction, inbound: Inbound): Promise<'back' | 'leave'> {
    const opened: Opened = { id: interaction.id, closing: new AbortController() };
    this.#opened = opened;
    try {
      const result = await this.#ask(interaction, inbound, opened.closing.signal);
      return await this.#conclude(opened, result);
    } catch (error) {
      if (error instanceof BeckonError) {
        this.#list.notice(toChatNotice(interaction.id, error.message));
        return 'back';
      }
      if (!(error instanceof PromptLeft)) throw error;
      if (error.wantsOut || this.#stopping.signal.aborted) return 'leave';
      return opened.settled === undefined ? 'back' : await this.#tellClosed(opened.settled);
    } finally {
      this.#opened = null;
    }
  }

  async #ask(interaction: Interaction, inbound: Inbound, closing: AbortSignal): Promise<AnswerResult> {
    const { env = {}, editText = createEditText(env), who } = this.#options;
    const signal = AbortSignal.any([closing, this.#stopping.signal]);
    const context: PromptContext = {
      screen: this.#screen,
      signal,
      editText,
      heading: toHeading(this.#screen, interaction),
    };
    begin(context);
    return answerHere(interaction, context, (answer) => inbound.answer(interaction.id, answer, who));
  }

  /** Tells the person what became of their answer. */
  async #conclude(opened: Opened, { result, interaction }: AnswerResult): Promise<'back' | 'leave'> {
    if (interaction === null) {
      this.#list.remove(opened.id);
      this.#list.notice(`Request ${opened.id} no longer exists.`);
      return 'back';
    }
    if (interaction.status === 'pending') {
      this.#list.put(interaction);
      return 'back';
    }
    this.#list.remove(opened.id);
    if (opened.settled === undefined) this.#answered.add(opened.id);
    if (result === 'lost' || result === 'late') return this.#tellClosed(interaction);
    this.#list.notice(toClosing(interaction));
    return 'back';
  }

  async #tellClosed(interaction: Interaction): Promise<'back' | 'leave'> {
    this.#list.notice(toClosing(interaction));
    return showClosed(this.#screen, interaction, this.#stopping.signal);
  }
}
