import type { CommandRule } from './command-rule.ts';
import { LOCAL_RULES } from './local-rules.ts';
import { hasWord, type Look, toOperands } from './look.ts';
import { REMOTE_RULES } from './remote-rules.ts';

interface Compiled extends CommandRule {
  /** The verbs of each call of this program. */
  verbs: readonly (readonly (ReadonlySet<string> | '*')[])[];
}

const BY_PROGRAM = compile();

/** Reports what the rules find. */
export function checkRules({ program, args, command, report }: Look): void {
  const rules = BY_PROGRAM.get(program);
  if (rules === undefined) return;
  const operands = toOperands(args);
  for (const { code, verbs, having = [], unless } of rules) {
    if (!verbs.some((call) => call.every((verb, at) => verb === '*' || verb.has(operands[at]?.text ?? '')))) continue;
    if (unless !== undefined && hasWord(args, unless)) continue;
    if (!having.every((pattern) => hasWord(args, pattern))) continue;
    // Where one word makes the difference, it is what people should look at.
    const [telling, ...others] = having;
    const word = others.length > 0 ? undefined : args.find(({ text }) => telling?.test(text));
    report(code, word ?? command);
  }
}

function compile(): ReadonlyMap<string, readonly Compiled[]> {
  const byProgram = new Map<string, Compiled[]>();
  for (const rule of [...LOCAL_RULES, ...REMOTE_RULES]) {
    const byName = new Map<string, (ReadonlySet<string> | '*')[][]>();
    for (const call of rule.calls) {
      const [programs = '', ...verbs] = call.split(' ');
      const compiled = verbs.map((verb) => (verb === '*' ? verb : new Set(verb.split('|'))));
      for (const name of programs.split('|')) byName.set(name, [...(byName.get(name) ?? []), compiled]);
    }
    for (const [name, verbs] of byName) byProgram.set(name, [...(byProgram.get(name) ?? []), { ...rule, verbs }]);
  }
  return byProgram;
}
