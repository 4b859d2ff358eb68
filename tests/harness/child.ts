import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Mailbox } from './mailbox.ts';
import { within } from './within.ts';

/** How long a child may take for what it is asked to do, on a machine that is busy with other tests. */
const LIMIT_MS = 60_000;

/** What parent and child say to each other: one JSON object a line. */
export type Message = { readonly type: string };

/** A process of its own that runs one of our files. What it prints as an error is shown. */
export class Child<Told extends Message> {
  readonly #process: ChildProcess;
  readonly #exit: Promise<unknown>;
  readonly #mailbox = new Mailbox<Told>();

  /** `file` is a URL beside the test; `data` is handed to the child as its only argument. */
  constructor(file: URL, data: object, options: { nodeArguments?: readonly string[] } = {}) {
    const script = [...(options.nodeArguments ?? []), fileURLToPath(file), JSON.stringify(data)];
    this.#process = spawn(process.execPath, script, { stdio: ['pipe', 'pipe', 'inherit'] });
    // A child that was killed cannot be written to, which is no news.
    this.#process.stdin?.on('error', () => undefined);
    createInterface({ input: this.#process.stdout! }).on('line', (line) => this.#mailbox.put(JSON.parse(line) as Told));
    this.#exit = once(this.#process, 'close').then(() => this.#mailbox.close());
  }

  /** Everything that the child said and nobody took so far. */
  takeAll(): Told[] {
    return this.#mailbox.takeAll();
  }

  /** Waits until the child has said so many things that nobody took. */
  says(count: number): Promise<void> {
    return within(`a child to say ${count} things`, this.#mailbox.holds(count), LIMIT_MS);
  }

  /** Waits for the next message of a type. */
  next<Type extends Told['type']>(type: Type, limitMs = LIMIT_MS): Promise<Extract<Told, { type: Type }>> {
    return within(`a child to say ${type}`, this.#mailbox.take(type), limitMs);
  }

  tell<Said extends Message>(message: Said): void {
    this.#process.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  /** Ends it as a power cut would, and waits until everything it said has arrived. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#exit;
  }

  /** Waits until it has ended by itself, and gives its exit code. */
  async ended(): Promise<number | null> {
    await within('a child to end', this.#exit, LIMIT_MS);
    return this.#process.exitCode;
  }
}
