import type { Clock } from '../core/clock.ts';
import type { NoticeSenders } from '../core/notify.ts';
import type { Store } from '../core/store.ts';
import type { DestinationKind } from '../protocol/destination.ts';
import type { InteractionOf } from '../protocol/interaction.ts';

/** How an attempt ended, for metrics. `lagMs`: from the ask until the notice was handed over, if nothing put it off. */
interface Attempted {
  kind: DestinationKind;
  result: 'sent' | 'failed' | 'dead' | 'gone' | 'refused';
  lagMs?: number;
}

/** What telling anybody needs. */
export interface NotifyTools {
  store: Store;
  senders: NoticeSenders;
  clock: Clock;
  /** The address of a page of this Beckon, at this moment, for whoever is told. */
  toLink: (path: string) => string;
  /** The addresses that answer a routine approval without the page, if there are any. */
  toReplyTo?: (interaction: InteractionOf<'approval'>) => { approve: string; deny: string } | undefined;
  /** Reports what an operator should know. Never contains a secret. */
  log: (level: 'info' | 'warn', message: string) => void;
  onAttempt?: (attempted: Attempted) => void;
}
