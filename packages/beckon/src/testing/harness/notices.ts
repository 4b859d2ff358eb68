import type { DestinationRecord, Notice } from '../../core/notify.ts';
import type { RequestNotice } from '../../notify/notice-words.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { assessRisk } from '../../risk/assess-risk.ts';
import { createApproval } from '../suites/samples.ts';

/** A notice about a request, as the worker makes it. */
export function createNotice(
  destination: DestinationRecord,
  interaction: Interaction = createApproval('npm test'),
  changes: Partial<RequestNotice> = {},
): RequestNotice {
  return {
    destination,
    what: 'asked',
    topic: 'topic1',
    id: 'ntc_1',
    url: `https://beckon.example.com/i/${interaction.id}`,
    ttlSeconds: 3600,
    interaction,
    risk: assessRisk(interaction).level,
    ...changes,
  };
}

/** The same for a request that has ended. */
export function createSettledNotice(destination: DestinationRecord, interaction: Interaction): Notice {
  const { what: _, risk: __, ...notice } = createNotice(destination, interaction);
  return { ...notice, what: 'settled' };
}
