import { sayTimeLeft } from '../interactions/durations.ts';
import { formatInstant } from '../interactions/instants.ts';
import { useTicking } from '../state/ticker.ts';
import { texts } from './texts.ts';

/** How long a rule still holds, in words. */
export function RuleEnd({ until }: { until: string | undefined }) {
  const end = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until);
  const left = useTicking((now) => {
    if (end === Number.POSITIVE_INFINITY) return texts.noEnd;
    return end <= now ? texts.over : texts.left(sayTimeLeft(end - now));
  });
  if (until === undefined) return <span>{left}</span>;
  return (
    <time dateTime={until} title={formatInstant(until)}>
      {left}
    </time>
  );
}
