import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Message } from './child.ts';
import { Mailbox } from './mailbox.ts';

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

/** What the parent says from now on. A child whose parent is gone ends at once. */
export function hearParent<Told extends Message>(): Mailbox<Told> {
  const mailbox = new Mailbox<Told>();
  createInterface({ input: process.stdin })
    .on('line', (line) => mailbox.put(JSON.parse(line) as Told))
    .on('close', () => process.exit(1));
  return mailbox;
}
