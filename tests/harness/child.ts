import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { within } from './within.ts';

/** What parent and child say to each other: one JSON object a line. */
export type Message = { readonly type: string };

/** A process of its own that runs one of our files. What it says is kept until it is asked for; what it prints as an error is shown. */
export class Child<Told extends Message> {
  readonly #process: ChildProcess;
  readonly #exit: Promise<unknown>;
  readonly #heard: Told[] = [];
  #onMessage: () => void = () => undefined;
  #hasEnded = false;

  /** `file` is a URL beside the test; `data` is handed to the child as its only argument. */
  constructor(file: URL, data: object, options: { nodeArguments?: readonly string[] } = {}) {
    const script = [...(options.nodeArguments ?? []), fileURLToPath(file), JSON.stringify(data)];
    this.#process = spawn(process.execPath, script, { stdio: ['pipe', 'pipe', 'inherit'] });
    // A child that was killed cannot be written to, which is no news.
    this.#process.stdin?.on('error', () => undefined);
    createInterface({ input: this.#process.stdout! }).on('line', (line) => this.#take(line));
    this.#exit = once(this.#process, 'close').then(() => {
      this.#hasEnded = true;
      this.#onMessage();
    });
  }

  /** Everything that the child said and nobody took so far. */
  takeAll(): Told[] {
    return this.#heard.splice(0);
  }

  /** Waits until the child has said so many things that nobody took. */
  async says(count: number): Promise<void> {
    while (this.#heard.length < count) {
      if (this.#hasEnded) throw new Error(`The child ended after ${this.#heard.length} of ${count} messages`);
      await within(`a child to say ${count} things`, this.#onNews(), 60_000);
    }
  }

  /** Waits for the next message of a type. Those before it stay for `takeAll`. */
  async next<Type extends Told['type']>(type: Type): Promise<Extract<Told, { type: Type }>> {
    for (;;) {
      const index = this.#heard.findIndex((message) => message.type === type);
      if (index >= 0) return this.#heard.splice(index, 1)[0] as Extract<Told, { type: Type }>;
      if (this.#hasEnded) throw new Error(`The child ended before it said ${type}`);
      await within(`a child to say ${type}`, this.#onNews(), 60_000);
    }
  }

  tell(message: Message): void {
    this.#process.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  /** Ends it as a power cut would, and waits until everything it said has arrived. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#exit;
  }

  /** Waits until it has ended by itself, and gives its exit code. */
  async ended(): Promise<number | null> {
    await within('a child to end', this.#exit, 60_000);
    return this.#process.exitCode;
  }

  #onNews(): Promise<void> {
    return new Promise((resolve) => {
      this.#onMessage = resolve;
    });
  }

  #take(line: string): void {
    this.#heard.push(JSON.parse(line) as Told);
    this.#onMessage();
  }
}
