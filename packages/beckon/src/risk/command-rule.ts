import type { Code } from './codes.ts';

/** A finding that can be told from a program, its verbs and its options alone. */
export interface CommandRule {
  code: Code;
  /** Programs and verbs; any of them. */
  calls: readonly string[];
  /** Each must match a word. */
  having?: readonly RegExp[];
  /** None of the words may match. */
  unless?: RegExp;
}
