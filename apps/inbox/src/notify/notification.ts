/** The text of a notification, and the page it opens. */
export interface Message {
  title: string;
  body: string;
  /** A later message with the same tag replaces this one. */
  tag: string;
  path: string;
}

/** Whether this browser has notifications, and whether they are allowed. */
export function readPermission(): NotificationPermission | 'missing' {
  return 'Notification' in globalThis ? Notification.permission : 'missing';
}

/** Shows a notification, by the service worker if there is one: phones allow no other way. */
export async function showNotification(
  { title, body, tag, path }: Message,
  onOpen: (path: string) => void,
): Promise<void> {
  const options = { body, tag, icon: '/icons/icon-192.png', badge: '/icons/badge-96.png', data: { path } };
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

/** Closes notifications that are out of date. */
export async function closeNotifications(tags: ReadonlySet<string>): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  const shown = (await registration?.getNotifications()) ?? [];
  for (const notification of shown) if (tags.has(notification.tag)) notification.close();
}
