import type { Destinations, PersonalDestination } from 'beckon/client';
import { pause } from '../live/pause.ts';
import { keepPush, readKeptPush } from './kept-push.ts';

/** What this browser needs to be told. */
export interface PushTools {
  destinations: Destinations;
  /** Who is logged in. */
  who: string;
}

/** Why notifications could not be turned on, if it is no error of Beckon: the words are the view's. */
export class PushTrouble extends Error {
  readonly reason: 'refused' | 'no-worker' | 'no-service';

  constructor(reason: PushTrouble['reason'], cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/** The service worker is installed with the page's files. */
const WORKER_MS = 20_000;

/**
 * The destination that this browser is; `null`: none. What the browser lost is subscribed again; what somebody removed
 * elsewhere is not.
 */
export async function readThisDevice(tools: PushTools): Promise<PersonalDestination | null> {
  const kept = readKeptPush(tools.who);
  if (kept === null) return null;
  const found = (await tools.destinations.list()).find(({ id, owner }) => id === kept.id && owner === tools.who);
  const subscription = await findSubscription();
  if (found === undefined) {
    keepPush(null);
    await subscription?.unsubscribe();
    return null;
  }
  if (subscription === null) return Notification.permission === 'granted' ? subscribe(tools) : null;
  keepFound(found);
  return found;
}

/** Subscribes this browser. It counts once its service worker has sent back the code that is pushed to it. */
export async function turnOn(tools: PushTools): Promise<PersonalDestination> {
  if ((await Notification.requestPermission()) !== 'granted') throw new PushTrouble('refused');
  return subscribe(tools);
}

/** Ends it here first: a browser without a subscription takes nothing, even if Beckon cannot be told. */
export async function turnOff({ destinations, who }: PushTools): Promise<void> {
  const kept = readKeptPush(who);
  await (await findSubscription())?.unsubscribe();
  keepPush(null);
  if (kept !== null) await destinations.remove(kept.id);
}

async function subscribe({ destinations }: PushTools): Promise<PersonalDestination> {
  const key = await destinations.pushKey();
  const { pushManager } = await findRegistration();
  const { endpoint, keys = {} } = (await subscribeWith(pushManager, key)).toJSON();
  const subscription = {
    endpoint: endpoint ?? '',
    keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' },
  };
  const { destination } = await destinations.add({ kind: 'push', subscription });
  keepFound(destination);
  if (destination.provenAt !== undefined) return destination;
  const { result, error } = await destinations.test(destination.id);
  if (result !== 'sent') throw new PushTrouble('no-service', error);
  return destination;
}

function keepFound({ id, owner: who, isOn, provenAt }: PersonalDestination): void {
  keepPush({ id, who, isTold: isOn && provenAt !== undefined });
}

async function subscribeWith(pushManager: PushManager, key: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const kept = await pushManager.getSubscription();
  // One that was made for another Beckon at this address takes nothing from this one.
  if (kept !== null && toBase64(kept.options.applicationServerKey) !== key) await kept.unsubscribe();
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    throw new PushTrouble(Notification.permission === 'granted' ? 'no-service' : 'refused', error);
  }
}

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker?.getRegistration();
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

async function findRegistration(): Promise<ServiceWorkerRegistration> {
  const late = pause(WORKER_MS).then(() => null);
  const registration = await Promise.race([navigator.serviceWorker.ready, late]);
  if (registration === null) throw new PushTrouble('no-worker');
  return registration;
}

function toBase64(key: ArrayBuffer | null): string {
  const text = String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0)));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
