import type { RuleDetails } from 'beckon/client';
import { formatDay } from '../../interactions/instants.ts';
import { texts } from './texts.ts';
import { toLastDays } from './to-last-days.ts';

/** How many days the bars show. */
const DAYS = 30;
const WIDTH = 8;
const HEIGHT = 40;

/** The hits of the last days as bars; as text for screen readers. */
export function HitsByDay({ days, now }: { days: RuleDetails['days']; now: Date }) {
  const shown = toLastDays(days, DAYS, now);
  const most = Math.max(1, ...shown.map(({ hits }) => hits));
  const sum = shown.reduce((total, { hits }) => total + hits, 0);
  return (
    <figure className="space-y-1">
      <figcaption className="text-xs text-muted">{texts.details.daysSummary(texts.hits(sum), DAYS)}</figcaption>
      <svg
        viewBox={`0 0 ${DAYS * WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="h-12 w-full max-w-md text-accent-text"
      >
        {shown.map(({ day, hits }, place) => {
          const height = hits === 0 ? 1 : Math.max(3, (hits / most) * HEIGHT);
          return (
            <rect
              key={day}
              x={place * WIDTH + 1}
              y={HEIGHT - height}
              width={WIDTH - 2}
              height={height}
              fill="currentColor"
              opacity={hits === 0 ? 0.25 : 1}
            >
              <title>{texts.details.day(formatDay(day), texts.hits(hits))}</title>
            </rect>
          );
        })}
      </svg>
      <ul aria-label={texts.details.days} className="sr-only">
        {shown
          .filter(({ hits }) => hits > 0)
          .map(({ day, hits }) => (
            <li key={day}>{texts.details.day(formatDay(day), texts.hits(hits))}</li>
          ))}
      </ul>
    </figure>
  );
}
