import { Counter, Gauge, type Registry } from 'prom-client';
import type { OutboxAdmin } from '../core/outbox.ts';

/** What is measured of the outbox. */
export interface OutboxMetrics {
  countForward(result: 'forwarded' | 'failed' | 'dead' | 'refused'): void;
  /** Brings the gauges up to date. */
  read(): Promise<void>;
}

export function createOutboxMetrics(outbox: Pick<OutboxAdmin, 'backends'>, registry: Registry): OutboxMetrics {
  const registers = [registry];
  const addGauge = (name: string, help: string) => new Gauge({ name, help, labelNames: ['destination'], registers });
  const waiting = addGauge('beckon_outbox_waiting', 'Hooks waiting to be forwarded, by backend, in the whole store');
  const dead = addGauge('beckon_outbox_dead', 'Hooks that a backend will never accept');
  const oldest = addGauge('beckon_outbox_oldest_seconds', 'Age of the oldest waiting hook');
  const paused = addGauge('beckon_outbox_paused', '1 while nothing is sent to a backend');
  const attempts = new Counter({
    name: 'beckon_outbox_attempts_total',
    help: 'Attempts of this process to forward a hook, by result',
    labelNames: ['result'],
    registers,
  });
  return {
    countForward: (result) => attempts.inc({ result }),
    read: async () => {
      const found = await outbox.backends();
      // A backend that nothing waits for is not shown.
      for (const gauge of [waiting, dead, oldest, paused]) gauge.reset();
      for (const { destination, oldestAt, ...counts } of found) {
        waiting.set({ destination }, counts.waiting);
        dead.set({ destination }, counts.dead);
        oldest.set({ destination }, oldestAt === undefined ? 0 : Math.max(0, Date.now() - Date.parse(oldestAt)) / 1000);
        paused.set({ destination }, counts.paused === undefined ? 0 : 1);
      }
    },
  };
}
