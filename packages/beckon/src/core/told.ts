import { mayDo, mayEnter } from './access.ts';
import type { WayIn } from './notice-outbox.ts';
import type { DestinationRecord } from './notify.ts';

/** What begins the ids of destinations. Everything else that a request is passed on to is a person's name. */
const DESTINATION_PREFIX = 'dst_';

/** Whether the owner of a destination may see a chat, and chose to be told of it. */
export function maySeeChat({ chatId: limit }: DestinationRecord, waysIn: readonly WayIn[], chatId: string): boolean {
  return (limit === undefined || limit === chatId) && waysIn.some((way) => mayEnter(way, chatId));
}

/** Whether somebody who can come in this way may have webhooks: they are told everything. */
export function mayHaveWebhook(waysIn: readonly WayIn[]): boolean {
  return waysIn.some((way) => mayDo(way, 'administer'));
}

/** Whether `to` names a destination, not a person. */
export function isDestinationId(to: string): boolean {
  return to.startsWith(DESTINATION_PREFIX);
}

/** Whom there is to be told: destinations, and how people can come in. */
interface Reachable {
  destinations: readonly DestinationRecord[];
  waysIn: readonly WayIn[];
}

/**
 * The destinations that hear of a request which is passed on, whatever they want to hear of otherwise: those of a
 * person, without webhooks, or the one that is named. Nobody hears of what they may not see and answer. `problem`: why
 * there is none.
 */
export function findTold(
  to: string,
  chatId: string,
  { destinations, waysIn }: Reachable,
): { told: readonly DestinationRecord[]; problem?: string } {
  const mayAnswer = (record: DestinationRecord): boolean => {
    const ways = waysIn.filter((way) => way.name === record.owner && mayDo(way, 'answer'));
    return record.kind === 'webhook' ? mayHaveWebhook(ways) : maySeeChat(record, ways, chatId);
  };
  const isActive = ({ isOn, provenAt }: DestinationRecord): boolean => isOn && provenAt !== undefined;
  const nobody = (problem: string) => ({ told: [], problem });
  if (isDestinationId(to)) {
    const record = destinations.find(({ id }) => id === to);
    if (record === undefined) return nobody('There is no such destination.');
    if (!isActive(record)) return nobody('The destination is off, or not proven.');
    return mayAnswer(record) ? { told: [record] } : nobody('Its owner may not answer requests of this chat.');
  }
  const ways = waysIn.filter(({ name }) => name === to);
  if (ways.length === 0) return nobody('Nobody can come in under this name.');
  if (!ways.some((way) => mayDo(way, 'answer') && mayEnter(way, chatId))) {
    return nobody('This person may not answer requests of this chat.');
  }
  const told = destinations.filter(
    (record) => record.owner === to && record.kind !== 'webhook' && isActive(record) && mayAnswer(record),
  );
  return told.length > 0 ? { told } : nobody('This person has no destination that is on and proven.');
}
