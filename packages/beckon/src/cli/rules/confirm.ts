import { BeckonError } from '../../protocol/errors.ts';
import { EXIT } from '../exit-codes.ts';
import { note } from '../output.ts';

/** Asks the person at this terminal. Without a terminal it throws, and `next` says which option answers instead. */
export async function confirm(message: string, next: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new BeckonError('invalid_input', `Cannot ask for confirmation without a terminal. ${next}`);
  }
  const clack = await import('@clack/prompts');
  const isYes = (await clack.confirm({ message, initialValue: false, output: process.stderr })) === true;
  if (!isYes) {
    note('Nothing was changed.');
    process.exitCode = EXIT.cancelled;
  }
  return isYes;
}

/** Says how to confirm what contradicts people on this command line. */
export async function withConfirmHint<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof BeckonError) || error.code !== 'rule_contradicts') throw error;
    const message = error.message.replace('send it again with "confirm"', 'add --confirm');
    throw new BeckonError(error.code, message, { cause: error });
  }
}
