import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Commit, Store } from '../core/store.ts';
import { KINDS } from '../protocol/interaction.ts';
import { createNotifyMetrics, type NotifyMetrics } from './notify-metrics.ts';
import { createOutboxMetrics, type OutboxMetrics } from './outbox-metrics.ts';

/** What this process counts and measures, in the format of Prometheus. */
export interface Metrics {
  observeRequests(app: FastifyInstance): void;
  observeCommit(commit: Commit): void;
  countRefusedToken(): void;
  countForward: OutboxMetrics['countForward'];
  countNotice: NotifyMetrics['countNotice'];
  /** Counts one held wait; call the result when it ends. */
  holdWait(): () => void;
  /** The page for `/metrics`. */
  render(): Promise<string>;
  readonly contentType: string;
}

export function createMetrics(store: Pick<Store, 'countPending' | 'outbox' | 'destinations'>): Metrics {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({
    name: 'beckon_pending',
    help: 'Requests waiting for a person, by kind, in the whole store',
    labelNames: ['kind'],
    registers,
    async collect() {
      const pending = await store.countPending();
      for (const kind of KINDS) this.set({ kind }, pending[kind] ?? 0);
    },
  });
  const answerSeconds = new Histogram({
    name: 'beckon_time_to_answer_seconds',
    help: 'From ask to the answer of a person',
    labelNames: ['kind'],
    buckets: [0.1, 1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400],
    registers,
  });
  const outcomes = new Counter({
    name: 'beckon_outcomes_total',
    help: 'Requests that this process settled',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const waits = new Gauge({ name: 'beckon_waits_held', help: 'HTTP requests held until an outcome', registers });
  const events = new Counter({
    name: 'beckon_events_total',
    help: 'Log events that this process appended',
    labelNames: ['type'],
    registers,
  });
  const commits = new Counter({ name: 'beckon_commits_total', help: 'Commits of this process', registers });
  const steps = new Counter({
    name: 'beckon_commit_steps_total',
    help: 'Changes in those commits; divide by the commits to get changes per commit',
    registers,
  });
  const refused = new Counter({
    name: 'beckon_refused_tokens_total',
    help: 'HTTP requests with a wrong token',
    registers,
  });
  const outbox = createOutboxMetrics(store.outbox, registry);
  const notices = createNotifyMetrics(store.destinations, registry);
  const requests = new Histogram({
    name: 'beckon_http_request_seconds',
    help: 'Time to answer an HTTP request, including held waits',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60],
    registers,
  });
  return {
    contentType: registry.contentType,
    render: async () => {
      await Promise.all([outbox.read(), notices.read()]);
      return registry.metrics();
    },
    countRefusedToken: () => refused.inc(),
    countForward: outbox.countForward,
    countNotice: notices.countNotice,
    holdWait() {
      waits.inc();
      return () => waits.dec();
    },
    observeCommit(commit) {
      commits.inc();
      steps.inc(commit.steps);
      const counts = new Map<string, number>();
      for (const { type } of commit.events) counts.set(type, (counts.get(type) ?? 0) + 1);
      for (const [type, count] of counts) events.inc({ type }, count);
      for (const { kind, status, createdAt, settledAt, answeredBy } of commit.interactions) {
        if (settledAt === undefined) continue;
        outcomes.inc({ kind, outcome: status });
        // A rule answers in no time, and would hide how long people take.
        if (status === 'answered' && answeredBy?.kind === 'person')
          answerSeconds.observe({ kind }, (Date.parse(settledAt) - Date.parse(createdAt)) / 1000);
      }
    },
    observeRequests(app) {
      app.addHook('onResponse', ({ method, routeOptions }, reply, done) => {
        const labels = { method, route: routeOptions.url ?? 'none', status: String(reply.statusCode) };
        requests.observe(labels, reply.elapsedTime / 1000);
        done();
      });
    },
  };
}
