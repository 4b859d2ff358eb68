import type { CliBench, Run, RunOptions } from '../harness/cli.ts';

/** What people saw on several machines, one after another, as it is printed in docs. */
export class Transcript {
  readonly #parts: string[] = [];
  readonly #names: readonly (readonly [string | RegExp, string])[];

  /** `names` replaces what is different on every machine, such as paths. */
  constructor(names: readonly (readonly [string | RegExp, string])[]) {
    this.#names = names;
  }

  get text(): string {
    const text = `${this.#parts.join('\n').trim()}\n`;
    return this.#names.reduce((all, [found, name]) => all.replaceAll(found, name), text);
  }

  /** Something that happens outside a terminal. */
  tell(what: string): void {
    this.#parts.push('', `# ${what}`);
  }

  /** A command that somebody types, without what it prints. */
  type(machine: string, command: string): void {
    this.#parts.push('', `${machine}$ ${command}`);
  }

  /** What a command prints. */
  print(output: string): void {
    if (output.trim() !== '') this.#parts.push(output.trimEnd());
  }
}

interface TerminalOptions extends RunOptions {
  machine: string;
  bench: CliBench;
  transcript: Transcript;
}

/** A terminal on a machine of the show: whatever runs here is in the transcript. */
export class Terminal {
  readonly #machine: string;
  readonly #bench: CliBench;
  readonly #options: RunOptions;
  readonly #transcript: Transcript;

  constructor({ machine, bench, transcript, ...options }: TerminalOptions) {
    this.#machine = machine;
    this.#bench = bench;
    this.#transcript = transcript;
    this.#options = options;
  }

  /**
   * Starts a command of Beckon. `show` writes down what it has printed so far, and `end` the rest, once it has ended;
   * it gives the exit code.
   */
  start(args: readonly string[]): Run & { show: () => void; end: () => Promise<number | null> } {
    this.#transcript.type(this.#machine, toCommand(['beckon', ...args]));
    const run = this.#bench.start(args, this.#options);
    let printed = '';
    for (const stream of [run.child.stdout, run.child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
      });
    }
    const show = (): void => {
      this.#transcript.print(printed);
      printed = '';
    };
    const end = async (): Promise<number | null> => {
      const { code } = await this.#bench.finish(run);
      show();
      return code;
    };
    return { ...run, show, end };
  }

  /** Runs a command to its end. Throws if it fails. Gives what it printed. */
  async run(...args: string[]): Promise<string> {
    const run = this.start(args);
    run.child.stdin?.end();
    const code = await run.end();
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${run.stderr()}`);
    return run.stdout();
  }
}

function toCommand(words: readonly string[]): string {
  return words.map((word) => (/^[\w./:@=-]+$/.test(word) ? word : `"${word}"`)).join(' ');
}
