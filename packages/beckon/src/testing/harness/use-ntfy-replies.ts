import { afterEach, beforeEach, expect } from 'vitest';
import type { Beckon } from '../../core/beckon.ts';
import type { DestinationRecord } from '../../core/notify.ts';
import { createGuardedFetch, type GuardedFetch } from '../../notify/guarded-fetch.ts';
import { NtfyReplies, type NtfyRepliesOptions } from '../../notify/ntfy-replies.ts';
import { toReplyTopic } from '../../notify/reply-token.ts';
import { createNtfySender } from '../../notify/senders/ntfy.ts';
import { openBeckon } from '../../open-beckon.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import type { SqlStore } from '../../store/sql-store.ts';
import { createDestination } from '../suites/samples.ts';
import { createSqliteDatabase, type TestDatabase } from './database.ts';
import { createNotice } from './notices.ts';
import { type KeptMessage, startNtfy, type TestNtfy } from './ntfy-server.ts';

/** The key that signs the buttons of each test. */
export const REPLY_SECRET = 'a secret';
/** The topic of `dst_1`. */
export const TOPIC = 'adas-topic';
/** As short as a test needs them; a server that is silent is the only one that waits. */
const TIMES = {
  refreshMs: 10,
  openMs: 300,
  silenceMs: 5000,
  shortMs: 50,
  pollMs: 20,
  pollForMs: 60_000,
  backoff: { firstMs: 5, longestMs: 50 },
};

/** An ntfy server, and a Beckon with ada in it who is told there and presses buttons. */
export interface NtfyRepliesBench {
  readonly ntfy: TestNtfy;
  readonly guarded: GuardedFetch;
  readonly database: TestDatabase;
  readonly beckon: Beckon;
  readonly store: SqlStore;
  readonly followers: NtfyReplies[];
  /** Everything that was logged. */
  readonly logged: string[];
  /** Adds a destination of somebody who can come in. */
  add(changes?: Partial<DestinationRecord>): Promise<DestinationRecord>;
  toDestination(changes?: Partial<DestinationRecord>): DestinationRecord;
  /** Follows the reply topics, as a daemon does. */
  follow(changes?: Partial<NtfyRepliesOptions>): NtfyReplies;
  connected(): Promise<void>;
  /** Asks, and sends the notice as the worker does. */
  ask(command?: string, destination?: DestinationRecord): Promise<{ id: string; message: KeptMessage }>;
  post(body: string, topic?: string): Promise<Response>;
  statusOf(id: string): Promise<string | undefined>;
  /** What the person was told about presses that did nothing. */
  told(): KeptMessage[];
}

/** For each test around it a bench of its own. */
export function useNtfyReplies(): NtfyRepliesBench {
  let bench: NtfyRepliesBench;

  beforeEach(async () => {
    bench = await openBench();
    await bench.add();
  });

  afterEach(async () => {
    await Promise.all(bench.followers.map((replies) => replies.stop()));
    await bench.guarded.close();
    await bench.ntfy.close();
    await bench.beckon.close();
    await bench.database.dispose();
  });

  return new Proxy({} as NtfyRepliesBench, { get: (_, name) => bench[name as keyof NtfyRepliesBench] });
}

async function openBench(): Promise<NtfyRepliesBench> {
  const ntfy = await startNtfy();
  const guarded = createGuardedFetch({ allow: ['127.0.0.1'] });
  const database = await createSqliteDatabase();
  const store = await database.open();
  const beckon = await openBeckon({ store: database.url });
  const followers: NtfyReplies[] = [];
  const logged: string[] = [];
  const toDestination = (changes: Partial<DestinationRecord> = {}): DestinationRecord =>
    createDestination({ id: 'dst_1', content: 'headline', secret: { server: ntfy.url, topic: TOPIC }, ...changes });
  return {
    ntfy,
    guarded,
    database,
    beckon,
    store,
    followers,
    logged,
    toDestination,
    add: async (changes = {}) => {
      const { owner: name = 'ada' } = changes;
      await store.tokens.add({ id: name, name, role: 'person', hash: 'h', createdAt: '2026-01-01T00:00:00.000Z' });
      return store.destinations.add(toDestination(changes));
    },
    follow: (changes = {}) => {
      const replies = new NtfyReplies({
        guarded,
        secret: REPLY_SECRET,
        store,
        toLink: (path) => `https://beckon.example.com${path}`,
        beckon,
        clock: systemClock,
        log: (level, message) => logged.push(`${level}: ${message}`),
        times: TIMES,
        ...changes,
      });
      replies.start();
      followers.push(replies);
      return replies;
    },
    connected: async () => {
      await expect.poll(() => ntfy.streams).toBeGreaterThan(0);
    },
    ask: async (command = 'npm test', destination = toDestination()) => {
      const interaction = await beckon.ask({ kind: 'approval', request: { tool: 'Bash', input: { command } } });
      const sender = createNtfySender({ guarded, secret: REPLY_SECRET, clock: systemClock });
      const topic = interaction.id.slice(-12);
      await sender.send(createNotice(destination, interaction, { topic }), new AbortController().signal);
      return { id: interaction.id, message: ntfy.kept.find((one) => one.sequence_id === topic) as KeptMessage };
    },
    post: (body, topic = toReplyTopic(REPLY_SECRET, 'dst_1')) =>
      fetch(`${ntfy.url}/${topic}`, { method: 'POST', body }),
    statusOf: async (id) => (await beckon.get(id))?.status,
    told: () => ntfy.shown(TOPIC).filter(({ tags }) => tags?.[0] === 'information_source'),
  };
}
