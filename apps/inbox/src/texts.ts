import type { ErrorCode, Kind, Status } from 'beckon/protocol';
import { kindTexts } from './kinds/texts.ts';
import { viewTexts } from './views/texts.ts';

/**
 * Every text of the page, in one place. A language is a second object of the same type. Texts with a number or a name in them are
 * functions, because languages put them in different places and have different plurals.
 */
const english = {
  appName: 'Beckon',
  loading: 'Loading',
  close: 'Close',
  cancel: 'Cancel',
  tryAgain: 'Try again',
  back: 'Back',
  copy: 'Copy',
  claim: (name: string) => `calls itself “${name}”`,
  sample: 'Sample',
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

  kindNames: {
    question: 'Question',
    plan_review: 'Plan review',
    approval: 'Approval',
    form: 'Form',
    component: 'Component',
  } satisfies Record<Kind, string>,

  statusNames: {
    pending: 'Pending',
    answered: 'Answered',
    expired: 'Expired',
    cancelled: 'Cancelled',
    superseded: 'Superseded',
  } satisfies Record<Status, string>,

  durations: {
    justNow: 'now',
    ago: (age: string) => (age === 'now' ? 'just now' : `${age} ago`),
    seconds: (n: number) => (n === 1 ? '1 second' : `${n} seconds`),
    minutes: (n: number) => (n === 1 ? '1 minute' : `${n} minutes`),
    hours: (n: number) => (n === 1 ? '1 hour' : `${n} hours`),
    days: (n: number) => (n === 1 ? '1 day' : `${n} days`),
    shortSeconds: (n: number) => `${n} s`,
    shortMinutes: (n: number) => `${n} min`,
    shortHours: (n: number) => `${n} h`,
    shortDays: (n: number) => `${n} d`,
  },

  timeLeft: {
    left: (time: string) => `${time} left`,
    over: 'Time is over',
    forever: 'No deadline',
  },

  connection: {
    short: { connecting: 'Connecting', lost: 'Not connected' },
    lost: 'Connection lost, trying again',
    lostHint: 'What you see may be out of date. What you write is kept.',
    back: 'Back; nothing was missed',
  },

  pending: {
    title: 'Pending',
    count: (count: number) => (count === 1 ? '1 pending' : `${count} pending`),
    loadingMore: (count: number) => `${count} so far, loading the rest`,
    order: 'Order',
    newest: 'Newest first',
    urgent: 'Most urgent first',
    empty: 'Nothing is waiting for you',
    emptyHint: 'When an agent needs you, it appears here at once. You can leave this page open.',
    tryTitle: 'Ask something, to see how it works',
    tryHint: 'Run this in a terminal. It waits there until you answer here.',
    tryCommand: 'beckon ask "Is it lunch time?" --option yes --option no',
    choose: 'Choose an interaction to see it here',
    chooseHint: 'Or use the keyboard: j and k move through the list, Enter opens, ? shows every shortcut.',
    arrived: (count: number) => (count === 1 ? '1 new above' : `${count} new above`),
    announceArrived: (title: string) => `New: ${title}`,
    announceArrivedMany: (count: number) => `${count} new interactions`,
    list: 'Pending interactions',
  },

  samples: {
    text: 'Samples show what agents ask. Answer them, or remove them.',
    remove: 'Remove samples',
    failed: 'The samples could not be removed.',
    reason: 'Samples removed',
  },

  interaction: {
    from: (kind: string, agent: string) => `${kind} from ${agent}`,
    session: 'Session',
    chat: 'Chat',
    asked: 'Asked',
    showLog: 'Show log',
    hideLog: 'Hide log',
    step: (step: number, steps: number) => `${step} of ${steps}`,
    steps: 'Questions of this call',
    stepDone: 'done',
    stepCurrent: 'this one',
    stepOpen: 'open',
    stepComing: 'not asked yet',
    loadFailed: 'This interaction could not be loaded.',
    notFound: 'There is no such interaction',
    notFoundHint: 'It may belong to another Beckon, or the link was cut off.',
    toPending: 'Go to what is pending',
    next: 'Next pending',
    close: 'Close',
    dismiss: 'Dismiss',
    dismissTitle: 'Dismiss this interaction?',
    dismissHint: 'The agent is told that it was cancelled. This is not the same as a “no”, and it cannot be undone.',
    dismissReason: 'Reason (optional)',
    dismissed: 'Dismissed',
    dismissFailed: 'It could not be dismissed.',
    dismissTooLate: 'It had ended already.',
    dismissDefaultReason: 'Dismissed in the inbox',
  },

  sending: {
    sending: 'Sending your answer',
    sendingWhileLost:
      'The connection is lost. Your answer is sent as soon as Beckon is back. Keep this page open until then.',
    notSent: {
      early: 'Not sent: this request had just come into view. Press again.',
      moved: 'Not sent: the page had just moved. Press again.',
    },
    failedTitle: 'Your answer was not taken',
    unsureTitle: 'Your answer may not have arrived',
    failedHint: 'What you filled in is kept. Sending it again is safe: the same answer never counts twice.',
    invalidTitle: 'Beckon did not accept this answer',
    problem: (path: string, expected: string, received: string) =>
      `${path === '' ? 'The answer' : path}: expected ${expected}, got ${received}`,
    repeated: 'Your answer had arrived already',
    acceptedNext: (left: number) =>
      left === 0 ? 'Answer sent. Nothing else is pending.' : `Answer sent. ${left} left.`,
    failedSettled: 'The connection was lost while it was sent. This is how it ended:',
    unknown: 'This interaction does not exist any more',
    unknownHint: 'Your answer was not taken.',
  },

  outcome: {
    answered: (by: string) => `Answered by ${by}`,
    you: (by: string) => `${by} (you)`,
    answeredUnknown: 'Answered',
    expired: 'Nobody answered in time',
    expiredHint: 'The agent was told that the time is over. No answer is never a yes.',
    cancelled: 'Cancelled',
    superseded: 'No longer needed',
    supersededHint: 'It was settled outside Beckon, or the agent asked anew.',
    reason: (reason: string) => `Reason: ${reason}`,
    lostTitle: (by: string) => `Somebody was faster: ${by}`,
    lostToYourself: (by: string) => `You had answered already: ${by}`,
    lostHint: 'Your answer did not count. This is the one that the agent got:',
    lateTitle: 'Your answer came too late',
    lateHint: 'It was written to the log, but it does not count: this interaction had ended before.',
    took: (time: string) => `after ${time}`,
    announce: (title: string, outcome: string) => `${title}: ${outcome}`,
    decisions: {
      allow: 'Allowed',
      deny: 'Denied',
      ...kindTexts.plan.past,
    } as Record<string, string>,
  },

  log: {
    title: 'Log',
    empty: 'The log has nothing about it.',
    failed: 'The log could not be loaded.',
    types: {
      'interaction.requested': 'Asked',
      'interaction.delivered': 'Shown',
      'interaction.undeliverable': 'Could not be shown',
      'interaction.feedback_requested': 'Feedback wanted',
      'interaction.answered': 'Answered',
      'interaction.expired': 'Expired',
      'interaction.cancelled': 'Cancelled',
      'interaction.superseded': 'Superseded',
      'interaction.late_answer': 'Late answer, not counted',
      'interaction.reminded': 'Reminded',
      'hook.received': 'Hook received',
      'hook.forwarded': 'Hook forwarded',
      'hook.dead': 'Hook given up',
      'session.started': 'Session started',
      'session.ended': 'Session ended',
    } as Record<string, string>,
    deadline: (at: string) => `until ${at}`,
    noDeadline: 'without a deadline',
    number: (seq: number) => `Number ${seq} in the log`,
  },

  ...viewTexts,

  offline: {
    title: 'Beckon cannot be reached',
    text: 'It is stopped, or you are offline. This page tries again by itself and goes on as soon as it can; agents keep waiting.',
  },

  notify: {
    many: (count: number) => `${count} agents need you`,
    body: (kind: string, asker: string) => `${kind} from ${asker}`,
  },

  errors: {
    title: 'Something went wrong in this page',
    hint: 'Reload it. What was acknowledged is on disk, and nothing is lost.',
    reload: 'Reload',
    codes: {
      unreachable: 'Beckon cannot be reached.',
      unauthorized: 'You are not logged in any more.',
      forbidden: 'You are not allowed to do this.',
      too_many_requests: 'Too many attempts. Wait a moment.',
      store_unavailable: 'Beckon’s database cannot be reached.',
      store_full: 'The disk of Beckon’s database is full.',
      store_busy: 'Another process holds Beckon’s database.',
      too_large: 'This is larger than allowed.',
      internal: 'Something went wrong in Beckon.',
    } as Partial<Record<ErrorCode, string>>,
  },

  notFound: {
    title: 'There is no such page',
    home: 'Go to what is pending',
  },
};

/** The texts of the page's language, and those of the answer forms. */
export const texts = { ...english, kinds: kindTexts };
