import { findBasePath } from '../state/own-address.ts';

/** The text of a notification, and the page it opens. */
export interface Message {
  title: string;
  body: string;
  /** A later message with the same tag replaces this one. */
  tag: string;
  path: string;
}

/** Shows a notification, by the service worker if there is one: phones allow no other way. */
export async function showNotification(
  { title, body, tag, path }: Message,
  onOpen: (path: string) => void,
): Promise<void> {
  const icons = `${findBasePath()}/icons`;
  const options = { body, tag, icon: `${icons}/icon-192.png`, badge: `${icons}/badge-96.png`, data: { path } };
  const registration = await navigator.serviceWorker?.getRegistration();
  if (registration?.active != null) {
    await registration.showNotification(title, options);
    return;
  }
  const notification = new Notification(title, options);
  notification.onclick = () => {
    window.focus();
    onOpen(path);
    notification.close();
  };
}

/** Closes notifications that ask for these requests, whoever showed them: this page, or the worker after a push. */
export async function closeNotifications(ids: ReadonlySet<string>): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  const shown = (await registration?.getNotifications()) ?? [];
  for (const notification of shown) {
    const { requestId } = (notification.data ?? {}) as { requestId?: unknown };
    if (ids.has(typeof requestId === 'string' ? requestId : notification.tag)) notification.close();
  }
}
