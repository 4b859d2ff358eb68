import { type PendingEntry, toStep } from '../../../presentation/index.ts';
import { texts } from './texts.ts';

/** Which questions of a call are open. Nothing for a request that stands alone. */
export function StepsBadge({ entry: { interaction, steps } }: { entry: PendingEntry }) {
  const step = toStep(interaction);
  if (step === null) return null;
  return (
    <span className="shrink-0 rounded bg-hover px-1 text-xs text-muted tabular-nums">
      <span aria-hidden="true">{`${step.step}/${step.steps}`}</span>
      <span className="sr-only">{texts.steps(steps.length, step.steps)}</span>
    </span>
  );
}
