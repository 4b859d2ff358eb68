import { toVisibleLine } from '../../presentation/visible.ts';
import type { PersonalDestination } from '../../protocol/destination.ts';
import type { Delivery } from '../../protocol/destinations-http.ts';
import { toLocalTime } from '../../terminal/describe.ts';

/** Whether a destination is told things: `on`, `off`, `not proven`, or `failing`. */
export function toState({ isOn, provenAt, problem }: PersonalDestination): 'on' | 'off' | 'not proven' | 'failing' {
  if (provenAt === undefined) return 'not proven';
  if (!isOn) return 'off';
  return problem === undefined ? 'on' : 'failing';
}

/** When and of what it is told, in a few words: "after 5m, quiet 22:00-07:00, chats team". */
export function toTerms({ kind, when, filter, content }: PersonalDestination): string {
  const { after, beforeExpiry, quiet, evenInSight } = when;
  const isPerson = kind !== 'webhook';
  const terms = [
    ...(isPerson ? [Number(after) === 0 ? 'at once' : `after ${toDuration(after)}`] : []),
    ...(isPerson && beforeExpiry !== undefined ? [`${toDuration(beforeExpiry)} before it expires`] : []),
    ...(quiet === undefined ? [] : [`quiet ${quiet.from}-${quiet.to} ${quiet.timeZone}`]),
    ...(isPerson && evenInSight ? ['even in sight'] : []),
    ...toNames('chats', filter.chats),
    ...toNames('projects', filter.projects),
    ...toNames('kinds', filter.kinds),
    ...toNames('types', filter.types),
    ...(filter.risk === undefined ? [] : [`${filter.risk} or more`]),
    `content ${content}`,
  ];
  return terms.join(', ');
}

/** A row of the list of deliveries. */
export function toDeliveryRow({
  seq,
  what,
  status,
  eventType,
  interactionId,
  at,
  attempts,
  error,
  dueAt,
}: Delivery): string[] {
  const due = dueAt === undefined ? '' : `due ${toLocalTime(dueAt)}`;
  const why = [due, error === undefined ? '' : toVisibleLine(error, 100)].filter((part) => part !== '').join('; ');
  return [
    String(seq),
    status,
    what === 'event' ? eventType : what,
    toVisibleLine(interactionId ?? '', 50, 'code'),
    toLocalTime(at),
    String(attempts),
    why,
  ];
}

function toNames(name: string, values: readonly string[] | undefined): string[] {
  return values === undefined ? [] : [`${name} ${values.map((value) => toVisibleLine(value, 40, 'code')).join(' ')}`];
}

function toDuration(duration: number | string): string {
  return typeof duration === 'number' ? `${duration}s` : duration;
}
