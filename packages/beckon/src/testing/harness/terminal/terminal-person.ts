import { toHeadline } from '../../../presentation/headline.ts';
import type { Interaction } from '../../../protocol/interaction.ts';
import { until } from '../../suites/until.ts';
import { type FakeTerminal, KEYS } from './fake-terminal.ts';

const PLAN_DECISIONS = ['clean_edit', 'edit', 'default', 'adjust'];
/** The line of an item in the list: its number, its kind and what it asks. Its age is on the right. */
const ITEM = /^[> ] (\d) [✔ ] \S (.+?)  +\S.*$/;

interface Item {
  number: string;
  line: string;
}

/** Somebody at the keyboard who reads the screen: opens what is new in the list, and goes back. */
export class TerminalPerson {
  readonly #terminal: FakeTerminal;
  /** What they read when they opened an item, by its line in the list. */
  readonly #read = new Map<string, string>();

  constructor(terminal: FakeTerminal) {
    this.#terminal = terminal;
  }

  /** The list as it is now, with what each item says inside in the place of its line. */
  async look(): Promise<string> {
    await this.#goBack();
    for (const item of this.#items()) {
      if (this.#read.has(item.line)) continue;
      const screen = await this.#open(item);
      if (screen !== null) this.#read.set(item.line, screen);
      await this.#goBack();
    }
    const lines = this.#terminal.screen().split('\n');
    return lines.map((line) => this.#read.get(ITEM.exec(line)?.[2] ?? '') ?? line).join('\n');
  }

  /** Opens an interaction and takes an option of it, or decides. */
  async choose(interaction: Interaction, choice: string): Promise<void> {
    await this.#goBack();
    const item = this.#items().find(({ line }) => line === toHeadline(interaction));
    if (item === undefined) throw new Error(`${interaction.id} is not in the list`);
    await this.#open(item);
    this.#terminal.press(toKeys(interaction, choice));
  }

  /** Opens the plan that the list marks as waiting for feedback, and types. */
  async giveFeedback(text: string): Promise<void> {
    const item = await until(() => {
      const [, number, line] = /(\d) . \S (.+?)  +needs feedback/.exec(this.#terminal.screen()) ?? [];
      if (number === undefined || line === undefined) throw new Error('Nothing waits for feedback');
      return { number, line };
    });
    await this.#open(item);
    this.#terminal.press(`${text}${KEYS.enter}`);
  }

  #items(): Item[] {
    if (!this.#isList()) return [];
    const found = this.#terminal
      .screen()
      .split('\n')
      .map((line) => ITEM.exec(line));
    return found.flatMap((match) => (match === null ? [] : [{ number: match[1] ?? '', line: match[2] ?? '' }]));
  }

  /** What the item says inside. `null`: somebody settled it before it could be opened. */
  async #open({ number, line }: Item): Promise<string | null> {
    this.#terminal.press(`${number}${KEYS.enter}`);
    return until(() => {
      const screen = this.#terminal.screen();
      if (this.#isClosed() || /esc back|Esc goes back[^]*└/.test(screen)) return screen;
      if (this.#isList() && !this.#items().some((item) => item.line === line)) return null;
      throw new Error(`${line} does not open: ${screen}`);
    });
  }

  async #goBack(): Promise<void> {
    const before = this.#terminal.screen();
    if (this.#isList() || before === '\n') return;
    this.#terminal.press(this.#isClosed() ? KEYS.enter : KEYS.escape);
    await until(() => {
      const isBack = this.#terminal.screen() !== before && (this.#isList() || this.#isClosed());
      if (!isBack) throw new Error(`This does not end: ${this.#terminal.screen()}`);
    });
    await this.#goBack();
  }

  #isList(): boolean {
    return this.#terminal.screen().startsWith('Beckon inbox');
  }

  #isClosed(): boolean {
    return this.#terminal.screen().includes('no longer needed');
  }
}

function toKeys(interaction: Interaction, choice: string): string {
  switch (interaction.kind) {
    case 'question': {
      const place = interaction.request.options.findIndex(({ label }) => label === choice);
      return `${place + 1}${KEYS.enter}`;
    }
    case 'plan_review':
      return `${PLAN_DECISIONS.indexOf(choice) + 1}${KEYS.enter}`;
    case 'approval':
      return choice === 'allow' ? 'y' : 'n';
    default:
      throw new Error(`A ${interaction.kind} has no choices`);
  }
}
