import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { StoredDestinations } from '../core/stored-destinations.ts';
import { DESTINATION_KINDS, type DestinationKind } from '../protocol/destination.ts';

/** What is measured of notices. */
export interface NotifyMetrics {
  /** Counts an attempt. `lagMs`: from the ask until it was handed over. */
  countNotice(attempt: { kind: DestinationKind; result: string; lagMs?: number }): void;
  /** Brings the gauges up to date. */
  read(): Promise<void>;
}

export function createNotifyMetrics(
  destinations: Pick<StoredDestinations, 'list' | 'counts'>,
  registry: Registry,
): NotifyMetrics {
  const registers = [registry];
  const addGauge = (name: string, help: string) => new Gauge({ name, help, labelNames: ['kind'], registers });
  const waiting = addGauge(
    'beckon_notices_waiting',
    'Notices that wait for their time or a destination, in the whole store',
  );
  const dead = addGauge('beckon_notices_dead', 'Notices that will never arrive');
  const troubled = addGauge('beckon_destinations_failing', 'Destinations that do not take notices right now');
  const attempts = new Counter({
    name: 'beckon_notices_total',
    help: 'Attempts of this process to tell somebody, by result',
    labelNames: ['kind', 'result'],
    registers,
  });
  const lag = new Histogram({
    name: 'beckon_notice_lag_seconds',
    help: 'From ask to handed over, for notices that nobody wanted later',
    labelNames: ['kind'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers,
  });
  return {
    countNotice: ({ kind, result, lagMs }) => {
      attempts.inc({ kind, result });
      if (lagMs !== undefined) lag.observe({ kind }, lagMs / 1000);
    },
    read: async () => {
      const [records, counts] = await Promise.all([destinations.list(), destinations.counts()]);
      for (const kind of DESTINATION_KINDS) {
        const own = records.filter((record) => record.kind === kind);
        const sum = (of: 'waiting' | 'dead'): number =>
          own.reduce((total, { id }) => total + (counts.get(id)?.[of] ?? 0), 0);
        waiting.set({ kind }, sum('waiting'));
        dead.set({ kind }, sum('dead'));
        troubled.set({ kind }, own.filter(({ problem }) => problem !== undefined).length);
      }
    },
  };
}
