import type { PlanDecision } from '../protocol/answers.ts';
import type { Interaction } from '../protocol/interaction.ts';

/** One thing that may be decided about a plan. `effect` says what the agent does then, `past` what was decided. */
export interface PlanChoice {
  decision: PlanDecision;
  label: string;
  effect: string;
  past: string;
}

/** Agents whose context cannot be cleared from outside. An agent's claim is enough: it only changes the wording. */
const KEEPS_CONTEXT: readonly unknown[] = ['claude-code', 'claude-agent-sdk'];

const SEND_BACK: PlanChoice = {
  decision: 'adjust',
  label: 'Send back with feedback',
  effect: 'Nothing is done yet. The agent changes the plan as you say and asks again.',
  past: 'Sent back',
};

const ALL: readonly PlanChoice[] = [
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
  SEND_BACK,
];

const KEEPING: readonly PlanChoice[] = [
  { decision: 'edit', label: 'Accept', effect: 'Edits are made without asking.', past: 'Accepted' },
  {
    decision: 'default',
    label: 'Accept, and ask before each edit',
    effect: 'You approve every edit.',
    past: 'Accepted, asking before each edit',
  },
  SEND_BACK,
];

/** The choices for a plan, with what most people mean by "yes" first. They promise only what the agent can do. */
export function toPlanChoices({ metadata }: Pick<Interaction, 'metadata'>): readonly PlanChoice[] {
  return KEEPS_CONTEXT.includes(metadata?.['agent']) ? KEEPING : ALL;
}

/**
 * What was decided about a plan. A decision that was not offered, such as a typed "yes", reads like the closest one.
 */
export function describePlanDecision(interaction: Pick<Interaction, 'metadata'>, decision: PlanDecision): string {
  const choices = toPlanChoices(interaction);
  const closest = choices.find((choice) => choice.decision === decision) ?? choices[0];
  return `${closest?.past}`;
}
