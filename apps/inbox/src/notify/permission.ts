/** Whether this browser has notifications, and whether they are allowed. */
export function readPermission(): NotificationPermission | 'missing' {
  return 'Notification' in globalThis ? Notification.permission : 'missing';
}
