/** What a notification says, and where it leads. */
export interface Message {
  title: string;
  body: string;
  /** A later one with the same tag takes the place of the first. */
  tag: string;
  path: string;
}

/** Whether this browser has notifications, and whether they are allowed. */
export function readPermission(): NotificationPermission | 'missing' {
  return 'Notification' in globalThis ? Notification.permission : 'missing';
}

/** Shows a notification. Phones only allow it to a service worker, so that is asked first. */
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

/** Takes back what is no longer true. */
export async function closeNotifications(tags: ReadonlySet<string>): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  const shown = (await registration?.getNotifications()) ?? [];
  for (const notification of shown) if (tags.has(notification.tag)) notification.close();
}
