import type { Policy } from '../core/rules.ts';
import { assessRisk } from '../risk/assess-risk.ts';
import { toOneTapText } from '../risk/one-tap.ts';
import { checkExamples } from './examples.ts';
import { compileRules } from './rule-book.ts';

/** What Beckon decides by itself, and what it leaves to a person. */
export const policy: Policy = {
  compile: compileRules,
  check: checkExamples,
  isDangerous: (interaction) => assessRisk(interaction).level === 'dangerous',
  isOneTap: (interaction) => toOneTapText(interaction) !== null,
};
