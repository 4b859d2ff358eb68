import { classNames, Icon } from 'beckon/react/parts';
import { useTicking } from '../state/ticker.ts';
import { formatAge, formatTimeLeft, sayTimeLeft } from './durations.ts';
import { formatInstant } from './instants.ts';
import { texts } from './texts.ts';

/** With less time left, the countdown changes color. */
const SOON_MS = 60_000;

/** A countdown to the deadline. Without a deadline, lists show nothing and other places say so. */
export function TimeLeft({ expiresAt, isLong = false }: { expiresAt: string | undefined; isLong?: boolean }) {
  const end = expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
  const shown = useTicking((now) => (end === Number.POSITIVE_INFINITY ? '' : formatTimeLeft(end - now)));
  const said = useTicking((now) => (end === Number.POSITIVE_INFINITY ? '' : sayTimeLeft(end - now)));
  const urgency = useTicking((now) => (end - now <= 0 ? 'over' : end - now < SOON_MS ? 'soon' : 'calm'));
  if (expiresAt === undefined) return isLong ? <span className="text-muted">{texts.timeLeft.none}</span> : null;
  const isOver = urgency === 'over';
  return (
    <span
      title={formatInstant(expiresAt)}
      className={classNames(
        'inline-flex shrink-0 items-center gap-1 tabular-nums',
        urgency === 'calm' ? 'text-muted' : 'font-medium text-danger',
      )}
    >
      <Icon name="clock" className="size-3.5" />
      <span aria-hidden="true">{isOver ? texts.timeLeft.over : isLong ? texts.timeLeft.left(shown) : shown}</span>
      <span className="sr-only">{isOver ? texts.timeLeft.over : texts.timeLeft.left(said)}</span>
    </span>
  );
}

/** With more time left than this, a list says how long a request has waited instead. */
const SHORT_MS = 5 * 60_000;

/** How long a request has waited; once little time is left, how much. */
export function Waiting({ since, until }: { since: string; until: string | undefined }) {
  const end = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until);
  const isShort = useTicking((now) => (end - now < SHORT_MS ? 'yes' : '')) !== '';
  return (
    <span className="flex shrink-0 text-xs text-muted">
      {isShort ? <TimeLeft expiresAt={until} /> : <Age at={since} />}
    </span>
  );
}

/** How long ago something was, with the full date as a tooltip. */
export function Age({ at, isLong = false, className }: { at: string; isLong?: boolean; className?: string }) {
  const age = useTicking((now) => formatAge(now - Date.parse(at)));
  return (
    <time dateTime={at} title={formatInstant(at)} className={classNames('shrink-0 tabular-nums', className)}>
      {isLong ? texts.durations.ago(age) : age}
    </time>
  );
}
