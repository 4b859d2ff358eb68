import { readFileSync } from 'node:fs';
import { BeckonError } from '../protocol/errors.ts';
import { parseJson } from '../protocol/parse-json.ts';

/** Reads JSON from the argument itself, from a file (`@file`), or from stdin (`-`). */
export function readJson(argument: string, what: string): unknown {
  const text =
    argument === '-' ? readText(0, what) : argument.startsWith('@') ? readText(argument.slice(1), what) : argument;
  return parseJson(text, (reason) => `${what} is not valid JSON: ${reason}`);
}

function readText(file: string | 0, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const name = file === 0 ? 'stdin' : JSON.stringify(file);
    const { code } = error as NodeJS.ErrnoException;
    throw new BeckonError('invalid_input', `${what}: cannot read ${name} (${code}).`, { cause: error });
  }
}
