export const texts = {
  appName: 'Beckon',
  loggedInAs: (who: string) => `Logged in as ${who}`,
  skipToContent: 'Skip to content',
  tabTitle: (pending: number) => (pending > 0 ? `(${pending}) Beckon` : 'Beckon'),

  navigation: {
    name: 'Views',
    pending: 'Inbox',
    history: 'History',
    rules: 'Rules',
    sessions: 'Sessions',
    statistics: 'Statistics',
    devices: 'Devices',
    settings: 'Settings',
    shortcuts: 'Shortcuts',
    count: (count: number) => `${count} pending`,
  },

  connection: {
    short: { connecting: 'Connecting', lost: 'Not connected' },
    lost: 'Connection lost, trying again',
    lostHint: 'This page may be out of date. Everything you type is kept.',
    back: 'Connected again; you missed nothing',
  },

  offline: {
    title: 'Beckon cannot be reached',
    text: 'Beckon has stopped, or you are offline. This page keeps trying and continues when Beckon is back. Agents keep waiting.',
  },

  notFound: {
    title: 'Page not found',
    home: 'Go to the inbox',
  },
};
