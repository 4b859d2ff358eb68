import type { TestReply } from 'beckon/client';

export const deviceTexts = {
  title: 'Notifications on this device',
  reading: 'Looking',
  unread: 'Beckon cannot say whether they are on',
  off: 'Off. Turn them on to hear of requests even while Beckon is closed.',
  on: 'On. This browser is told of requests even while Beckon is closed.',
  waiting: 'Waiting for the first notification to arrive here. If none comes, turn them on again.',
  paused: 'Paused. Nothing is sent to this browser.',
  problem: (error: string) => `On, but the last one did not get through: ${error}`,
  failed: 'That did not work',
  acts: {
    on: 'Turn on',
    off: 'Turn off',
    resume: 'Go on',
    test: 'Send a test',
  },
  tested: ({ result, error }: TestReply) =>
    result === 'sent' ? 'Sent. It arrives in a moment.' : `Not sent: ${error ?? result}`,
  support: {
    insecure: {
      title: 'This page is not secure, so browsers allow no notifications',
      advice:
        'Open Beckon over https, or on the machine that it runs on. “beckon up --tls-cert FILE --tls-key FILE” serves https, and so does a proxy in front of it.',
    },
    install: {
      title: 'Add Beckon to your home screen first',
      advice:
        'An iPhone or iPad gives notifications only to pages on its home screen. In Safari: Share, then “Add to Home Screen”. Then open Beckon from there and come back here.',
    },
    missing: {
      title: 'This browser cannot be told while Beckon is closed',
      advice: 'Use another browser, or be told by ntfy, e-mail, Slack or Telegram.',
    },
    blocked: {
      title: 'Your browser blocks notifications from this page',
      advice: 'Allow them in its settings for this site, then open this page again.',
    },
  },
  troubles: {
    refused: 'The browser was not allowed to show notifications. Allow them in its settings for this site.',
    'no-worker': 'The page is not completely loaded yet. Try again in a moment.',
    'no-service': 'The push service of this browser cannot be reached. Try again later, or use another browser.',
  },
};
