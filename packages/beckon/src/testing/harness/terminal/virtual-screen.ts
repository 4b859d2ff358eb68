/**
 * The sequences that the inbox and its prompts write: a command with numbers, or one for the keyboard or the window.
 */
// oxlint-disable-next-line no-control-regex -- escape sequences are control characters
const SEQUENCE = /^\u001b(?:\[(?<mode>[?>]?)(?<numbers>[\d;]*)(?<command>[A-Za-z])|[()][A-Z0-9]|[=>78])/;

/** What a terminal of this size shows after everything that was written to it. It knows as much as the inbox needs. */
export class VirtualScreen {
  readonly #columns: number;
  readonly #rows: number;
  #lines: string[][] = [];
  #row = 0;
  #column = 0;

  constructor(columns: number, rows: number) {
    this.#columns = columns;
    this.#rows = rows;
  }

  /** The lines, without blanks at their ends. */
  get text(): string {
    const lines = this.#lines.map((line) =>
      Array.from(line, (cell) => cell ?? ' ')
        .join('')
        .trimEnd(),
    );
    return `${lines.join('\n').trimEnd()}\n`;
  }

  write(text: string): void {
    for (let rest = text; rest !== ''; ) {
      const sequence = SEQUENCE.exec(rest);
      const [taken = ''] = sequence ?? rest.match(/^./su) ?? [];
      if (sequence === null) this.#put(taken);
      else if (sequence.groups?.['command'] !== undefined) this.#run(sequence.groups);
      rest = rest.slice(Math.max(1, taken.length));
    }
  }

  #put(character: string): void {
    if (character === '\r') this.#column = 0;
    else if (character === '\n') this.#feed();
    else if (character >= ' ') {
      if (this.#column >= this.#columns) this.#feed();
      this.#line(this.#row)[this.#column] = character;
      this.#column += 1;
    }
  }

  // A terminal in cooked mode returns with each line feed.
  #feed(): void {
    this.#column = 0;
    if (this.#row < this.#rows - 1) this.#row += 1;
    else this.#lines.shift();
  }

  #run({ mode, numbers = '', command }: Record<string, string | undefined>): void {
    const [first = 0, second = 0] = numbers.split(';').map(Number);
    if (mode !== '') {
      // Turning to the other screen, and back.
      if (first === 1049) this.#clear();
      return;
    }
    const count = Math.max(1, first);
    switch (command) {
      case 'A':
        this.#row = Math.max(0, this.#row - count);
        break;
      case 'B':
        this.#row = Math.min(this.#rows - 1, this.#row + count);
        break;
      case 'C':
        this.#column = Math.min(this.#columns - 1, this.#column + count);
        break;
      case 'D':
        this.#column = Math.max(0, this.#column - count);
        break;
      case 'E':
        this.#row = Math.min(this.#rows - 1, this.#row + count);
        this.#column = 0;
        break;
      case 'F':
        this.#row = Math.max(0, this.#row - count);
        this.#column = 0;
        break;
      case 'G':
        this.#column = count - 1;
        break;
      case 'H':
        this.#row = count - 1;
        this.#column = Math.max(1, second) - 1;
        break;
      case 'J':
        if (first === 2) this.#lines = [];
        else {
          this.#line(this.#row).length = Math.min(this.#column, this.#line(this.#row).length);
          this.#lines.length = this.#row + 1;
        }
        break;
      case 'K':
        if (first === 2) this.#line(this.#row).length = 0;
        else this.#line(this.#row).length = Math.min(this.#column, this.#line(this.#row).length);
        break;
      case 'm':
      case 'h':
      case 'l':
        break;
      default:
        throw new Error(`The virtual screen does not know the sequence ESC [ ${numbers} ${command}`);
    }
  }

  #line(row: number): string[] {
    while (this.#lines.length <= row) this.#lines.push([]);
    return this.#lines[row] ?? [];
  }

  #clear(): void {
    this.#lines = [];
    this.#row = 0;
    this.#column = 0;
  }
}
