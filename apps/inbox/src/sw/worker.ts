/** The parts of a service worker that are used here. TypeScript cannot load its types beside those of a page. */
interface Lasting extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface Fetching extends Lasting {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
export interface Pushed extends Lasting {
  readonly data: { text(): string } | null;
}
export interface NotificationPress extends Lasting {
  readonly notification: Notification;
  /** The button that was pressed; empty for the notification itself. */
  readonly action: string;
}
interface SubscriptionChange extends Lasting {
  readonly oldSubscription?: PushSubscription | null;
  readonly newSubscription?: PushSubscription | null;
}
export interface WindowClient {
  readonly url: string;
  readonly visibilityState: 'visible' | 'hidden';
  focus(): Promise<WindowClient>;
  postMessage(message: unknown, transfer?: Transferable[]): void;
}
interface WorkerScope {
  readonly location: Location;
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<WindowClient[]>;
    openWindow(url: string): Promise<WindowClient | null>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: Lasting) => void): void;
  addEventListener(type: 'fetch', listener: (event: Fetching) => void): void;
  addEventListener(type: 'push', listener: (event: Pushed) => void): void;
  addEventListener(type: 'notificationclick' | 'notificationclose', listener: (event: NotificationPress) => void): void;
  addEventListener(type: 'pushsubscriptionchange', listener: (event: SubscriptionChange) => void): void;
}

/** The service worker that this code runs in. */
export const worker = globalThis as unknown as WorkerScope;

/** An address of Beckon, wherever its page is served: behind a proxy it may have a folder of its own. */
export function toAddress(path: string): string {
  return new URL(`.${path}`, worker.registration.scope).href;
}
