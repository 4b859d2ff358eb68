import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Message } from './child.ts';

/** What the parent handed to this child. */
export function readData<Data>(): Data {
  return JSON.parse(String(process.argv[2])) as Data;
}

/** Tells the parent something. It is out of this process when the call returns, whatever happens next. */
export function tellParent(message: Message): void {
  let bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(1, bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}

/** What the parent says, in order. A child whose parent is gone ends at once. */
export class Parent {
  readonly #heard: Message[] = [];
  #onMessage: () => void = () => undefined;

  constructor() {
    createInterface({ input: process.stdin })
      .on('line', (line) => {
        this.#heard.push(JSON.parse(line));
        this.#onMessage();
      })
      .on('close', () => process.exit(1));
  }

  async next<Expected extends Message>(type: Expected['type']): Promise<Expected> {
    for (;;) {
      const index = this.#heard.findIndex((message) => message.type === type);
      if (index >= 0) return this.#heard.splice(index, 1)[0] as Expected;
      await new Promise<void>((resolve) => {
        this.#onMessage = resolve;
      });
    }
  }
}
