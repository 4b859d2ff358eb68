import type { PlannedDestination, PlannerView } from '../core/notice-outbox.ts';
import type { DestinationRecord } from '../core/notify.ts';
import { findTold, mayHaveWebhook, maySeeChat } from '../core/told.ts';
import type { LogEvent } from '../protocol/events.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { RISK_LEVELS, type RiskLevel } from '../protocol/risk.ts';
import { assessRisk } from '../risk/assess-risk.ts';

/** Finds whom something concerns. */
export interface Matcher {
  /** The destinations of people who want to be told of a request. */
  findPeople(seq: number, interaction: Interaction): DestinationRecord[];
  /** The webhooks that want an event. */
  findWebhooks(event: LogEvent, interaction: Interaction | undefined): DestinationRecord[];
  /** The destinations that a request was passed on to, whatever they want to hear of otherwise. */
  findNamed(event: Escalated): readonly DestinationRecord[];
}

type Escalated = Extract<LogEvent, { type: 'interaction.escalated' }>;

/** Sees the destinations and their owners as they are in the view. */
export function createMatcher({ destinations, waysIn }: PlannerView): Matcher {
  const byName = Map.groupBy(waysIn, ({ name }) => name);
  const isReached = ({ record }: PlannedDestination, chatId: string): boolean =>
    maySeeChat(record, byName.get(record.owner) ?? [], chatId);
  const people = destinations.filter(({ record }) => record.kind !== 'webhook');
  const webhooks = destinations.filter(
    ({ record }) => record.kind === 'webhook' && mayHaveWebhook(byName.get(record.owner) ?? []),
  );
  return {
    findPeople: (seq, interaction) => {
      const risk = lazily(() => assessRisk(interaction).level);
      return people
        .filter(
          (one) => seq > one.afterSeq && isReached(one, interaction.chatId) && wants(one.record, interaction, risk),
        )
        .map(({ record }) => record);
    },
    findWebhooks: (event, interaction) =>
      webhooks
        .filter(({ record, afterSeq }) => event.seq > afterSeq && wantsEvent(record, event, interaction))
        .map(({ record }) => record),
    findNamed: ({ to, chatId, seq }) => {
      const known = destinations.filter(({ afterSeq }) => seq > afterSeq).map(({ record }) => record);
      return findTold(to, chatId, { destinations: known, waysIn }).told;
    },
  };
}

/** Whether a request passes the filter of a destination. */
export function wants(
  { filter }: Pick<DestinationRecord, 'filter'>,
  interaction: Interaction,
  risk: () => RiskLevel = () => assessRisk(interaction).level,
): boolean {
  const { chats, projects, kinds, risk: least } = filter;
  if (chats !== undefined && !chats.includes(interaction.chatId)) return false;
  if (kinds !== undefined && !kinds.includes(interaction.kind)) return false;
  if (projects !== undefined && !projects.includes(interaction.context?.project ?? '')) return false;
  return least === undefined || RISK_LEVELS.indexOf(risk()) >= RISK_LEVELS.indexOf(least);
}

/** Whether a webhook wants an event. What a filter asks for and an event does not have is not wanted. */
export function wantsEvent(
  record: Pick<DestinationRecord, 'filter'>,
  event: LogEvent,
  interaction: Interaction | undefined,
): boolean {
  const { types, chats, ...rest } = record.filter;
  if (types !== undefined && !types.some((type) => isOfType(event.type, type))) return false;
  if (chats !== undefined && !('chatId' in event && event.chatId !== undefined && chats.includes(event.chatId))) {
    return false;
  }
  if (Object.values(rest).every((value) => value === undefined)) return true;
  return interaction !== undefined && wants({ filter: rest }, interaction);
}

/** Whether the filter of a webhook can be answered only with the request that an event is about. */
export function needsInteraction({ filter }: DestinationRecord): boolean {
  return filter.projects !== undefined || filter.kinds !== undefined || filter.risk !== undefined;
}

function isOfType(type: string, wanted: string): boolean {
  return wanted === '*' || (wanted.endsWith('.*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted);
}

function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
