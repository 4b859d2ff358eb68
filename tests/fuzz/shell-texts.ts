import type { Random } from '../harness/random.ts';

/** Nothing here names a program that exists by its path: what a shell would run has no program to run. */
const NAMES = [
  'npm',
  'git',
  'ls',
  'rm',
  'a',
  'b',
  'x1',
  'node',
  'make',
  'tail',
  'grep',
  'cd',
  'echo',
  'test',
  'export',
  ':',
];
const ARGUMENTS = [
  'test',
  '-x',
  '--',
  '--run',
  'src/a.ts',
  '-n',
  '20',
  'a=b',
  'x:y',
  '@',
  'a,b',
  '%1',
  '+',
  '/nope/x',
  '.',
  '-',
];
const QUOTED = [
  `'a b'`,
  `"a b"`,
  `''`,
  `""`,
  `'a;b'`,
  `"a|b"`,
  `'$x'`,
  `'a'"b"`,
  `a'b'c`,
  `"a'b"`,
  `'a"b'`,
  `"\n"`,
  `'\n'`,
  `'é'`,
];
const JOINTS = [' && ', ' || ', '; ', ' | ', '\n', ';', '|', '&&', ' ; ', '\n\n', ' |& '];
const HARMLESS = ['2>&1', '>/dev/null', '2>/dev/null', '> /dev/null', '1>/dev/null', '2> /dev/null'];
/** What makes a text mean something else. */
const NASTY = [
  ...Array.from('\'"\\$`#;&|()<>{}[]*?~!=^%@,: \n\t\r'),
  '\\\n',
  '$x',
  '${x}',
  '$(a)',
  '$((1))',
  '`a`',
  "$'a'",
  '$"a"',
  '<(a)',
  '>(a)',
  '<<E\n',
  '<<<',
  '>>',
  '>|',
  '&>',
  '>&2',
  '2>&',
  '{a,b}',
  '{1..3}',
  '[a]',
  '?(a)',
  '~/x',
  '!!',
  '((',
  '))',
  ';;',
  ';&',
  '#a',
  ' #',
  '# a\n',
  'f() ',
  'f(){',
  '}',
  '{ ',
  'if ',
  'then ',
  'fi',
  'for ',
  ' in ',
  'do ',
  'done',
  'while ',
  'case ',
  'esac',
  'select ',
  'function ',
  'coproc ',
  'time ',
  '! ',
  'time -p ',
  '[[ ',
  ' ]]',
  'a=b ',
  'a+=b ',
  'a[0]=b ',
  '=ls',
  '\u00a0',
  '\u200b',
  '\u2028',
  'а',
  '\v',
  '\f',
  '\0',
  '\x01',
  '\x7f',
  '2>a',
  '3>&1',
  '{v}>a',
  '>&1',
  '<&0',
  '-',
  '--',
  '>/dev/nul',
  '>/dev/null2',
  '&',
  ' & ',
  '|| ',
  '<>',
  '\ufeff',
  '🙂',
  'exec ',
  'eval ',
];

/** A text for a shell: mostly plain words with something nasty in them, else nothing but nasty pieces. */
export function createShellText(random: Random): string {
  if (random.below(10) < 2) return times(1 + random.below(8), () => pickPiece(random)).join(random.pick(['', '', ' ']));
  const plain = times(1 + random.below(3), () => createCommand(random));
  let text = plain.reduce((left, right) => `${left}${random.pick(JOINTS)}${right}`);
  for (let left = random.pick([0, 0, 1, 1, 1, 2, 3]); left > 0; left -= 1) text = mutate(random, text);
  return text;
}

function createCommand(random: Random): string {
  const words = times(random.below(4), () => random.pick(random.below(3) === 0 ? QUOTED : ARGUMENTS));
  const redirects = random.below(4) === 0 ? [random.pick(HARMLESS)] : [];
  return [random.pick(NAMES), ...words, ...redirects].join(random.pick([' ', ' ', '  ', '\t']));
}

function mutate(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  switch (random.below(4)) {
    case 0:
      return `${text.slice(0, at)}${text.slice(at + 1 + random.below(3))}`;
    case 1: {
      const from = random.below(text.length + 1);
      return `${text.slice(0, at)}${text.slice(from, from + 1 + random.below(6))}${text.slice(at)}`;
    }
    default:
      return `${text.slice(0, at)}${pickPiece(random)}${text.slice(at)}`;
  }
}

function pickPiece(random: Random): string {
  return random.pick(random.pick([NASTY, NASTY, NASTY, NAMES, ARGUMENTS, QUOTED, JOINTS, HARMLESS]));
}

function times<Item>(count: number, create: () => Item): Item[] {
  return Array.from({ length: count }, create);
}
