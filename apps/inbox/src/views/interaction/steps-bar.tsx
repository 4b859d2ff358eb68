import type { Interaction } from 'beckon/protocol';
import { Link } from 'wouter';
import { toInteractionPath } from '../../interactions/links.ts';
import { toStep } from '../../interactions/title.ts';
import { texts } from '../../texts.ts';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';

/** Where in a call of several questions one is, and the way to the others. */
export function StepsBar({ interaction, group }: { interaction: Interaction; group: readonly Interaction[] }) {
  const here = toStep(interaction);
  if (here === null) return null;
  const bySteps = new Map(group.map((item) => [toStep(item)?.step, item]));
  return (
    <nav aria-label={texts.interaction.steps} className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="text-xs font-medium text-muted tabular-nums">
        {texts.interaction.step(here.step, here.steps)}
      </span>
      <ol className="flex min-w-24 flex-1 gap-1">
        {Array.from({ length: here.steps }, (_, index) => {
          const step = index + 1;
          const item = bySteps.get(step);
          const isHere = step === here.step;
          const isDone = item !== undefined && item.status !== 'pending';
          const state = toState(isHere, item, isDone);
          const bar = (
            <>
              <span
                className={classNames(
                  'block h-1.5 rounded-full',
                  isHere ? 'bg-accent' : isDone ? 'bg-success' : 'bg-line',
                )}
              />
              <span className="sr-only">{texts.interaction.stepState(step, state)}</span>
            </>
          );
          return (
            <li key={step} className="flex-1" {...(isHere && { 'aria-current': 'step' as const })}>
              {item === undefined || isHere ? (
                <span className="block py-2">{bar}</span>
              ) : (
                <Link to={toInteractionPath(item.id)} title={texts.interaction.stepState(step, state)} className="block rounded py-2">
                  {bar}
                </Link>
              )}
            </li>
          );
        })}
      </ol>
      {group.length > 0 && group.every(({ status }) => status === 'answered') && (
        <Icon name="check" className="text-success" />
      )}
    </nav>
  );
}

function toState(isHere: boolean, item: Interaction | undefined, isDone: boolean): string {
  if (isHere) return texts.interaction.stepCurrent;
  if (item === undefined) return texts.interaction.stepComing;
  return isDone ? texts.interaction.stepAnswered : texts.interaction.stepOpen;
}
