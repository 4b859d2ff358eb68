export const texts = {
  appName: 'Beckon',
  skipToContent: 'Skip to content',
  tabTitle: (pending: number) => (pending > 0 ? `(${pending}) Beckon` : 'Beckon'),

  navigation: {
    name: 'Views',
    pending: 'Pending',
    history: 'History',
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

  shortcuts: {
    title: 'Keyboard shortcuts',
    groups: { list: 'In a list', answering: 'While answering', anywhere: 'Anywhere' },
    next: 'Next',
    previous: 'Previous',
    open: 'Open',
    leave: 'Close or go back',
    order: 'Change the order',
    choose: 'Choose an option',
    send: 'Send the answer',
    sendText: 'Send from a longer text',
    search: 'Search',
    help: 'Show this list',
    settings: 'Settings',
    afterwards: 'then',
    or: 'or',
    to: 'to',
  },

  offline: {
    title: 'Beckon cannot be reached',
    text: 'Beckon has stopped, or you are offline. This page keeps trying and continues when Beckon is back. Agents keep waiting.',
  },

  notFound: {
    title: 'Page not found',
    home: 'Go to pending requests',
  },
};
