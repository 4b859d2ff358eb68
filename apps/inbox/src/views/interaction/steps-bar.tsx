import { toHeadline, toStep, toVisibleLine } from 'beckon/presentation';
import type { Interaction } from 'beckon/protocol';
import { classNames, Icon } from 'beckon/react/parts';
import { Link } from 'wouter';
import { toInteractionPath } from '../../interactions/links.ts';
import { texts as interactionTexts } from '../../interactions/texts.ts';
import { texts } from './texts.ts';

/** The questions of one call: where you are, and links to the others. */
export function StepsBar({ interaction, group }: { interaction: Interaction; group: readonly Interaction[] }) {
  const here = toStep(interaction);
  if (here === null) return null;
  const bySteps = new Map(group.map((item) => [toStep(item)?.step, item]));
  return (
    <nav aria-label={texts.steps} className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <span className="text-xs font-medium text-muted tabular-nums">
        {interactionTexts.step(here.step, here.steps)}
      </span>
      <ol className="flex min-w-0 flex-wrap gap-1.5">
        {Array.from({ length: here.steps }, (_, index) => (
          <li key={index} className="max-w-full min-w-0">
            <Step step={index + 1} item={bySteps.get(index + 1)} isHere={index + 1 === here.step} />
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Step({ step, item, isHere }: { step: number; item: Interaction | undefined; isHere: boolean }) {
  const isDone = item !== undefined && item.status !== 'pending';
  const state = toState(isHere, item, isDone);
  const className = classNames(
    'tap flex max-w-full items-center gap-1.5 rounded-full border px-2.5 py-0.5 text-xs',
    isHere ? 'border-accent bg-accent-soft text-accent-text' : 'border-line text-muted',
    item === undefined && 'border-dashed',
  );
  const inside = (
    <>
      {isDone ? <Icon name="check" className="size-3.5 text-success" /> : <span className="tabular-nums">{step}</span>}
      {item !== undefined && <bdi className="truncate">{toName(item)}</bdi>}
      <span className="sr-only">{`, ${state}`}</span>
    </>
  );
  if (item === undefined || isHere) {
    return (
      <span className={className} {...(isHere && { 'aria-current': 'step' as const })}>
        {inside}
      </span>
    );
  }
  return (
    <Link to={toInteractionPath(item.id)} className={classNames(className, 'hover:bg-hover hover:text-ink')}>
      {inside}
    </Link>
  );
}

function toName(item: Interaction): string {
  const header = item.kind === 'question' ? item.request.header : undefined;
  return toVisibleLine(header || toHeadline(item), 32);
}

function toState(isHere: boolean, item: Interaction | undefined, isDone: boolean): string {
  if (isHere) return texts.stepCurrent;
  if (item === undefined) return texts.stepComing;
  return isDone ? texts.stepDone : texts.stepOpen;
}
