import { type PlanAsk, toPlanAbilities } from '../protocol/abilities.ts';
import type { PlanDecision } from '../protocol/answers.ts';

/** One thing that may be decided about a plan. `effect` says what the agent does then, `past` what was decided. */
export interface PlanChoice {
  decision: PlanDecision;
  label: string;
  effect: string;
  past: string;
}

const SEND_BACK: PlanChoice = {
  decision: 'adjust',
  label: 'Send back with feedback',
  effect: 'Nothing is done yet. The agent changes the plan as you say and asks again.',
  past: 'Sent back',
};

/** For an agent that would not read what should change. */
const SEND_BACK_ONLY: PlanChoice = {
  decision: 'adjust',
  label: 'Send back',
  effect: 'Nothing is done yet. The agent keeps planning, and does not hear why.',
  past: 'Sent back',
};

const CLEARING: readonly PlanChoice[] = [
  {
    decision: 'clean_edit',
    label: 'Accept, with a clear context',
    effect: 'Forgets the planning conversation and works from the plan. Edits are made without asking.',
    past: 'Accepted, with a clear context',
  },
  {
    decision: 'edit',
    label: 'Accept, and keep the context',
    effect: 'Works with everything said so far. Edits are made without asking.',
    past: 'Accepted, keeping the context',
  },
  {
    decision: 'default',
    label: 'Accept, with a clear context, and ask before each edit',
    effect: 'Forgets the planning conversation. You approve every edit.',
    past: 'Accepted, with a clear context, asking before each edit',
  },
];

/** For an agent whose context cannot be cleared from outside. */
const KEEPING: readonly PlanChoice[] = [
  { decision: 'edit', label: 'Accept', effect: 'Edits are made without asking.', past: 'Accepted' },
  {
    decision: 'default',
    label: 'Accept, and ask before each edit',
    effect: 'You approve every edit.',
    past: 'Accepted, asking before each edit',
  },
];

/** The choices for a plan, with what most people mean by "yes" first. They promise only what the agent can do. */
export function toPlanChoices(asked: PlanAsk): readonly PlanChoice[] {
  const { decisions, feedback } = toPlanAbilities(asked);
  const accepting = decisions.includes('clean_edit') ? CLEARING : KEEPING;
  const choices = [...accepting, feedback ? SEND_BACK : SEND_BACK_ONLY];
  return choices.filter(({ decision }) => decisions.includes(decision));
}

/** What was decided about a plan. A decision that was not offered, as an older Beckon kept it, reads like the first. */
export function describePlanDecision(asked: PlanAsk, decision: PlanDecision): string {
  const choices = toPlanChoices(asked);
  const closest = choices.find((choice) => choice.decision === decision) ?? choices[0];
  return `${closest?.past}`;
}
