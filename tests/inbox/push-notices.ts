import type { Notice } from '../../packages/beckon/src/core/notify.ts';
import { type PushNotice, toPushJson } from '../../packages/beckon/src/notify/push-message.ts';
import type { Interaction } from '../../packages/beckon/src/protocol/interaction.ts';
import { assessRisk } from '../../packages/beckon/src/risk/assess-risk.ts';
import type { PushBench } from './push-bench.ts';

const DESTINATION: Notice['destination'] = {
  id: 'dst_1',
  kind: 'push',
  owner: 'admin',
  label: 'Chromium',
  target: 'push.example.com',
  when: { after: 0, evenInSight: false },
  filter: {},
  content: 'headline',
  isOn: true,
  createdAt: '2026-11-17T10:00:00.000Z',
  secret: {},
};

/** Pushes what the sender says of a request as it is now. */
export async function pushRequest(
  bench: PushBench,
  id: string,
  what: 'asked' | 'reminded' | 'escalated' | 'expiring' | 'settled' = 'asked',
): Promise<void> {
  const interaction = await bench.call<Interaction>(`/v1/interactions/${id}`);
  await push(
    bench,
    `topic-${id.slice(-12)}`,
    what === 'settled' ? { what, interaction } : { what, interaction, risk: assessRisk(interaction).level },
  );
}

/** Pushes a notice, as the sender writes it. */
export async function push(bench: PushBench, topic: string, notice: NoticePart): Promise<void> {
  const { who: owner } = await bench.me();
  const base = { destination: { ...DESTINATION, owner }, topic, id: 'notice', url: bench.url, ttlSeconds: 60 };
  await bench.deliver(toPushJson({ ...base, ...notice } as PushNotice, 2048));
}

type NoticePart = PushNotice extends infer N
  ? N extends PushNotice
    ? Omit<N, 'destination' | 'topic' | 'id' | 'url' | 'ttlSeconds'>
    : never
  : never;
