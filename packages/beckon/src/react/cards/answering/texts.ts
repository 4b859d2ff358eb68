import type { ErrorCode } from '../../../protocol/index.ts';

export const texts = {
  sending: 'Sending your answer',
  sendingWhileLost:
    'The connection is lost. Your answer will be sent as soon as Beckon is back. Keep this page open until then.',
  notSent: {
    early: 'Not sent: this request had just come into view. Press again.',
    moved: 'Not sent: the page had just moved. Press again.',
    same: 'Not sent: the second step needs a press at another place, or another key.',
  },
  offered: 'Not sent: this request takes a second step.',
  failedTitle: 'Your answer was not accepted',
  unsureTitle: 'Your answer may not have arrived',
  failedHint: 'Your entries are kept. You can safely send them again: an answer never counts twice.',
  failedSettled: 'The connection was lost while your answer was being sent. This is how the request ended:',
  invalidTitle: 'Beckon did not accept this answer',
  problem: (path: string, expected: string, received: string) =>
    `${path === '' ? 'The answer' : path}: expected ${expected}, got ${received}`,
  unknown: 'This request no longer exists',
  unknownHint: 'Your answer was not accepted.',
  tryAgain: 'Try again',
  lostTitle: (by: string) => `Somebody was faster: ${by}`,
  lostToYourself: (by: string) => `You had already answered: ${by}`,
  lostHint: 'Your answer did not count. The agent got this one:',
  lateTitle: 'Your answer came too late',
  lateHint: 'It was logged but does not count: the request had already ended.',
  sent: 'Answer sent',
  severalSent: (count: number) => `${count} answers sent`,
  decided: (decision: string, headline: string) => `${decision}: ${headline}`,
  group: {
    notSent: 'Your answers were not sent',
    lost: (by: string, name: string, answer: string) => `${by} answered “${name}” first: ${answer}`,
    ended: (name: string, ending: string) => `“${name}” had ended. ${ending}`,
    kept: 'Your other answers are kept as drafts. You can send them now.',
    over: 'Nothing of this call is open any more.',
  },
  errors: {
    unreachable: 'Beckon cannot be reached.',
    unauthorized: 'You are no longer logged in.',
    forbidden: 'You are not allowed to do this.',
    too_many_requests: 'Too many attempts. Wait a moment.',
    store_unavailable: 'Beckon cannot reach its database.',
    store_full: 'The disk with Beckon’s database is full.',
    store_busy: 'Another process is using Beckon’s database.',
    too_large: 'This is too large.',
    internal: 'Something went wrong in Beckon.',
  } as Partial<Record<ErrorCode, string>>,
};
