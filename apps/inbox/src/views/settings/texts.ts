export const texts = {
  title: 'Settings',
  told: {
    title: 'Notifications',
    chats: 'In a chat',
    chatsHint:
      'Telegram and Slack show whole requests and take answers. A command on the machine of Beckon connects them:',
    commands: [
      { name: 'Telegram', command: 'beckon telegram --chat ID', what: 'with a bot of your own; see docs/telegram.md' },
      {
        name: 'Slack',
        command: 'beckon slack --channel default=CHANNEL --user MEMBER=NAME',
        what: 'with an app in your workspace; see docs/slack.md',
      },
    ],
  },
  theme: 'Theme',
  system: 'System',
  light: 'Light',
  dark: 'Dark',
  keys: 'Single keys',
  keysHint: 'Such as y to allow and j for the next request. Tab, Enter and Escape always work.',
  notifications: 'Browser notifications',
  notificationsHint: 'When a request arrives and this tab is not visible.',
  notificationsDenied: 'Your browser blocks notifications from this page. Allow them in its settings for this site.',
  notificationsMissing: 'This browser has no notifications.',
  sound: 'Sound',
  soundHint: 'A short tone when a request arrives and this tab is not visible.',
  tryNotification: 'Try it',
  tryTitle: 'This is how it looks',
  tryBody: 'Beckon tells you when an agent needs you.',
};
