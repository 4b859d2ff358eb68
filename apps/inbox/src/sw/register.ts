import { AddDestinationReply, PushKeyReply } from 'beckon/protocol';
import { call } from './call.ts';
import { worker } from './worker.ts';

/** Shows Beckon that pushes arrive here: only the worker of this browser could read the code. */
export async function sendProof({ destination, code }: { destination: string; code: string }): Promise<void> {
  await call(`/v1/destinations/${encodeURIComponent(destination)}/prove`, { code });
}

/** The push service has given this browser another address, so Beckon must know it, and see that it works. */
export async function renew(given: PushSubscription | null, old: PushSubscription | null): Promise<void> {
  const subscription = given ?? (await subscribe(old));
  if (subscription === null) return;
  const { endpoint, keys } = subscription.toJSON();
  const reply = await call('/v1/destinations', {
    kind: 'push',
    subscription: { endpoint, keys: { p256dh: keys?.['p256dh'], auth: keys?.['auth'] } },
  });
  const { data } = AddDestinationReply.safeParse(reply?.body);
  if (data === undefined || data.destination.provenAt !== undefined) return;
  await call(`/v1/destinations/${encodeURIComponent(data.destination.id)}/test`, {});
}

/** `null`: Beckon cannot be reached. The page subscribes again when it is opened. */
async function subscribe(old: PushSubscription | null): Promise<PushSubscription | null> {
  const applicationServerKey = old?.options.applicationServerKey ?? (await readKey());
  if (applicationServerKey === null) return null;
  return worker.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

async function readKey(): Promise<string | null> {
  const reply = await call('/v1/push-key');
  return PushKeyReply.safeParse(reply?.body).data?.publicKey ?? null;
}
