import { isMade, MASK } from './mask.ts';

/**
 * A name that says "secret", at its end, and what follows it: the quote of the name, the sign of an assignment or the
 * space after a flag, and the quote of the value. Only the end of a name is matched, however long the name is.
 */
const ASSIGNMENT = new RegExp(
  [
    '(password|passwd|passphrase|pwd|(?<![A-Za-z])pass|secret(?:[_-]?key(?:[_-]?base)?)?|token|credential|(?<=_)auth|',
    '(?:api|access|private|auth|account|encryption|signing|master|license)[_-]?key|(?<=[?&;])sig)',
    String.raw`(?:\\{0,3}["'\`])?`,
    String.raw`([ \t]{0,4}(?:=>|:=|=(?!=)|:(?!:))[ \t]{0,4}|(?<=--[\w-]{0,40})[ \t]{1,3}(?!-))`,
    String.raw`(\\{0,3}["'\`])?`,
  ].join(''),
  'gi',
);

/** Words after a flag in a sentence: "the --token flag", "use --password to …". */
const PROSE =
  /^(?:flags?|options?|arguments?|parameters?|values?|to|is|are|was|and|or|for|in|from|with|as|if|when|the|a|an|on|can|may|must|should|will|instead|that|which|it|of|by|at|not|only)$/i;
const PASSWORD = /^(?:passw|passphrase|pwd|secret$)/i;
/** `user.password`, `this.config.token`: the name of a value, not the value. */
const DOTTED = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/;

/** A value is judged by its beginning, so that long texts take linear time. */
const JUDGED_CHARS = 200;

/** An assignment, as far as it helps to tell secrets from code. */
interface Assignment {
  name: string;
  sign: string;
  quote: string;
  value: string;
  /** The characters around it. */
  previous: string;
  next: string;
  isFlag: boolean;
}

/** Masks the values of passwords, tokens and keys in code, settings, JSON, command lines and addresses. */
export function maskAssignments(text: string): string {
  let out = '';
  let done = 0;
  for (const found of text.matchAll(ASSIGNMENT)) {
    const [match, name = '', sign = '', quote = ''] = found;
    const start = found.index + match.length;
    if (found.index < done || text.startsWith(MASK, start)) continue;
    const stop = toStop(name, sign, quote);
    const end = findEnd(text, start, stop, start + JUDGED_CHARS);
    const before = text.slice(Math.max(0, found.index - 42), found.index);
    const assignment = {
      name,
      sign: sign.trim(),
      quote,
      value: text.slice(start, end),
      previous: before.slice(-1),
      next: text.slice(end, end + 1),
      isFlag: /--[\w-]*$/.test(before),
    };
    if (!isSecret(assignment)) continue;
    out += `${text.slice(done, start)}${MASK}`;
    done = findEnd(text, end, stop, text.length);
  }
  return out + text.slice(done);
}

function isSecret(assignment: Assignment): boolean {
  const { name, quote, value } = assignment;
  if (value.length < 3 || isMade(value)) return false;
  // The working folder of a shell has the same name.
  if (/^pwd$/i.test(name) && /^(?:[~./\\]|[A-Za-z]:)/.test(value)) return false;
  if (quote !== '') return isQuotedSecret(assignment);
  // A function, or a call of one.
  if (assignment.sign === '=>' || assignment.next === '(' || /^[\w.$]+\(/.test(value)) return false;
  return isCommandLine(assignment) ? isTypedSecret(assignment) : isPlainSecret(assignment);
}

/** In code or JSON. A sentence is a label: "Enter your password". */
function isQuotedSecret({ name, value }: Assignment): boolean {
  if (/\s/.test(value)) return /^passphrase$/i.test(name);
  if (/^pass$/i.test(name)) return value.length >= 6 && /\d/.test(value);
  return PASSWORD.test(name) || isRandom(value);
}

/** In a command line, an environment, an address or a connection string, where every value stands for itself. */
function isTypedSecret({ name, value, isFlag }: Assignment): boolean {
  if (isFlag && PROSE.test(value)) return false;
  return PASSWORD.test(name) || /^pass$/i.test(name) || (value.length >= 6 && !/^\d+$/.test(value));
}

/** In settings such as YAML, or in code, where most values are the names of others. */
function isPlainSecret({ name, value }: Assignment): boolean {
  const bare = value.replace(/[?!]{1,2}$/, '');
  if (DOTTED.test(bare) || /^pass$/i.test(name)) return false;
  return PASSWORD.test(name) ? /[\d!@#$%^&*+=?~]/.test(bare) : isRandom(bare) || /^auth$/i.test(name);
}

function isCommandLine({ name, sign, previous, next, isFlag }: Assignment): boolean {
  if (isFlag) return true;
  return sign === '=' && (isUpperCase(name) || next === ';' || /[;?&]/.test(previous));
}

function isUpperCase(name: string): boolean {
  return name === name.toUpperCase();
}

function isRandom(value: string): boolean {
  if (/\d/.test(value) && /[A-Za-z]/.test(value)) return value.length >= 8;
  return value.length >= 20 && /^[\w+/=-]+$/.test(value) && /[A-Z]/.test(value) && /[a-z]/.test(value);
}

/** What ends a value: the same quote, or a sign that values without quotes do not have there. */
function toStop(name: string, sign: string, quote: string): RegExp {
  if (quote.length > 1) return /\\+["'`]|\n/;
  if (quote !== '') return new RegExp(`(?<!\\\\)${quote}|\n`);
  return sign === '=' && isUpperCase(name) ? /[\s"'`]|[;,)](?=\s|$)/ : /[\s"'`;&,(){}[\]<>|\\]/;
}

function findEnd(text: string, from: number, stop: RegExp, limit: number): number {
  const found = stop.exec(text.slice(from, limit));
  return found === null ? Math.min(text.length, limit) : from + found.index;
}
