import type { Interaction, InteractionOf } from 'beckon/protocol';
import { Link } from 'wouter';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { toVisibleLine } from '../parts/hidden-characters.ts';
import { kindTexts } from '../texts.ts';

const texts = kindTexts.question;

/** The questions of one call: what was said to the earlier ones, which one this is, and what is still to come. */
export function QuestionSteps({
  current,
  group,
}: {
  current: InteractionOf<'question'>;
  group: readonly Interaction[];
}) {
  const steps = toSteps(current, group);
  if (steps.length < 2) return null;
  const place = steps.findIndex((step) => step?.id === current.id) + 1;
  return (
    <nav aria-label={texts.steps} className="space-y-2">
      <p className="text-xs font-medium text-muted">{texts.step(place, steps.length)}</p>
      <ol className="flex flex-wrap gap-1.5 text-xs">
        {steps.map((step, index) => (
          <li key={index} className="max-w-full min-w-0">
            <Step place={index + 1} step={step} isCurrent={step?.id === current.id} />
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Step({
  place,
  step,
  isCurrent,
}: {
  place: number;
  step: InteractionOf<'question'> | undefined;
  isCurrent: boolean;
}) {
  const look = classNames(
    'flex max-w-full items-center gap-1.5 rounded-full border px-2.5 py-0.5',
    isCurrent ? 'border-accent bg-accent-soft text-accent-text' : 'border-line text-muted',
  );
  if (step === undefined) {
    return (
      <span className={classNames(look, 'border-dashed')}>
        {place} <span className="sr-only">{texts.stepWaiting}</span>
      </span>
    );
  }
  const isAnswered = step.status === 'answered';
  const name = toVisibleLine(step.request.header || step.request.question, 32);
  const said = isAnswered ? `: ${toVisibleLine(step.answer?.text ?? '', 40)}` : '';
  const inside = (
    <>
      {isAnswered ? <Icon name="check" className="size-3" /> : <span aria-hidden="true">{place}</span>}
      <span className="truncate">{`${name}${said}`}</span>
    </>
  );
  if (isCurrent) {
    return (
      <span aria-current="step" className={look}>
        {inside}
      </span>
    );
  }
  return (
    <Link href={`/i/${encodeURIComponent(step.id)}`} className={classNames(look, 'hover:bg-hover hover:text-ink')}>
      {inside}
    </Link>
  );
}

/** Agents that ask one question after the other say how many there are; the later ones do not exist yet. */
function toSteps(
  current: InteractionOf<'question'>,
  group: readonly Interaction[],
): (InteractionOf<'question'> | undefined)[] {
  const known = [...group.filter((other) => other.id !== current.id), current].filter((one) => one.kind === 'question');
  const total = current.metadata?.['steps'];
  if (typeof total !== 'number' || !Number.isInteger(total) || total < 1 || total > 100) {
    return known.toSorted((one, other) => one.createdAt.localeCompare(other.createdAt));
  }
  return Array.from({ length: total }, (_, index) => {
    return known.findLast((one) => one.metadata?.['step'] === index + 1);
  });
}
