import type { Line } from './line.ts';

const COLUMNS = 14;

/** What the keys do in the list. */
export const INBOX_KEYS: readonly Line[] = toTable('In the list', [
  ['j/k, arrows', 'down and up'],
  ['J/K', 'the next and the previous group'],
  ['1-9', 'select the request beside the number'],
  ['enter', 'open it, or unfold a group'],
  ['space, ←/→', 'fold and unfold a group'],
  ['x', 'mark an approval, or take the mark away'],
  ['a', 'mark every approval like this one'],
  ['y, n, r', 'allow or deny what is marked; you read it first, and Enter sends it'],
  ['s', 'hide it here for a while; others still see it'],
  ['/', 'search'],
  ['f', 'show only what is notable or dangerous, only what is dangerous, or everything'],
  ['q, ctrl-c', 'quit; nothing is answered'],
]);

/** What the keys do in a request. */
export const REQUEST_KEYS: readonly Line[] = toTable('In a request', [
  ['y', 'allow, or accept a plan'],
  ['y, then A', 'allow what is dangerous'],
  ['n', 'deny'],
  ['r', 'deny with a reason, or send a plan back'],
  ['e', 'edit in your editor'],
  ['w', 'comment on the lines of a plan, in your editor'],
  ['m', 'allow, and make a rule for the next ones; you choose which'],
  ['1-9', 'choose'],
  ['enter', 'the next question, or send'],
  ['←/→, tab', 'the questions of one call'],
  ['o', 'more or fewer lines around a change'],
  ['space, b', 'scroll'],
  ['c', 'the conversation so far'],
  ['l', 'the log of this request'],
  ['j/k', 'the next and the previous request'],
  ['esc', 'back to the list'],
]);

function toTable(title: string, rows: readonly (readonly [string, string])[]): Line[] {
  return [{ text: title }, ...rows.map(([key, text]) => ({ gutter: `  ${key.padEnd(COLUMNS)}`, text }))];
}
