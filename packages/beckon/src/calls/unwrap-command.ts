import type { FoundWord } from './found-command.ts';
import { type Wrapper, wrappersOf } from './wrappers.ts';

/** What a command runs: other words, or texts for a shell. */
export type Wrapped = { words: readonly FoundWord[] } | { text: string; start: number; end: number };

/** The program of a command, without its folder: `/usr/bin/env` is `env`. */
export function toProgram(words: readonly FoundWord[]): string {
  const name = words[0]?.text ?? '';
  return name.slice(name.lastIndexOf('/') + 1);
}

/** The commands that a command runs by itself, as far as its words say. */
export function unwrapCommand(words: readonly FoundWord[]): Wrapped[] {
  return wrappersOf(toProgram(words)).flatMap((wrapper) => unwrap(words.slice(1), wrapper));
}

function unwrap(words: readonly FoundWord[], wrapper: Wrapper): Wrapped[] {
  if (wrapper.after !== undefined) return unwrapAfter(words, wrapper, wrapper.after);
  const from = skipVerbs(words, wrapper.verbs ?? []);
  if (from === -1) return [];
  const wrapped: Wrapped[] = [];
  let own = wrapper.own ?? 0;
  for (let at = from; at < words.length; at += 1) {
    const word = words[at] as FoundWord;
    const next = words[at + 1];
    if (wrapper.text?.test(word.text)) {
      if (next !== undefined) wrapped.push(next);
      at += 1;
    } else if (/^--[\w-]+=/.test(word.text) && wrapper.text?.test(word.text.slice(0, word.text.indexOf('=')))) {
      wrapped.push({ ...word, text: word.text.slice(word.text.indexOf('=') + 1) });
    } else if (wrapper.valued?.test(word.text)) at += 1;
    else if (/^[-+]./.test(word.text) || /^[A-Za-z_]\w*=/.test(word.text)) continue;
    else if (own > 0) own -= 1;
    else return [...wrapped, toRest(words.slice(at), wrapper)];
  }
  return wrapped;
}

function toRest(words: readonly FoundWord[], { isText }: Wrapper): Wrapped {
  const [first] = words;
  const last = words.at(-1);
  if (isText === undefined || first === undefined || last === undefined) return { words };
  if (isText === 'first') return first;
  return { text: words.map(({ text }) => text).join(' '), start: first.start, end: last.end };
}

/** `find -exec a {} ; -exec b {} +` runs two. */
function unwrapAfter(words: readonly FoundWord[], wrapper: Wrapper, after: RegExp): Wrapped[] {
  if (wrapper.isText) {
    const at = words.findIndex(({ text }) => after.test(text)) + 1;
    return at === 0 || at === words.length ? [] : [toRest(words.slice(at), wrapper)];
  }
  const wrapped: Wrapped[] = [];
  let begun: FoundWord[] | undefined;
  for (const word of words) {
    if (begun !== undefined && (word.text === ';' || word.text === '+')) {
      wrapped.push({ words: begun });
      begun = undefined;
    } else if (begun !== undefined) begun.push(word);
    else if (after.test(word.text)) begun = [];
  }
  if (begun !== undefined) wrapped.push({ words: begun });
  return wrapped;
}

/** Where the words after the verbs begin; -1 if the verbs are not there. Options may stand before them. */
function skipVerbs(words: readonly FoundWord[], verbs: readonly string[]): number {
  let at = 0;
  for (const verb of verbs) {
    at = words.findIndex(({ text }, index) => index >= at && text === verb) + 1;
    if (at === 0) return -1;
  }
  return at;
}
