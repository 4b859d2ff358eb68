export const texts = {
  from: (kind: string, agent: string) => `${kind} from ${agent}`,
  claim: 'Agent’s claim',
  title: (title: string) => `“${title}”`,
  session: 'Session',
  chat: 'Chat',
  log: 'Log',
  showLog: 'Show log',
  hideLog: 'Hide log',
  steps: 'Related questions',
  stepDone: 'done',
  stepCurrent: 'current',
  stepOpen: 'open',
  stepComing: 'not asked yet',
  loadFailed: 'This request could not be loaded.',
  notFound: 'No such request',
  notFoundHint: 'It may belong to another Beckon, or part of the link is missing.',
  toPending: 'Go to pending requests',
  next: 'Next pending',
  close: 'Close',
  dismiss: 'Dismiss',

  sending: {
    repeated: 'Your answer had already arrived',
    acceptedNext: (said: string, left: number) =>
      left === 0 ? `${said}. Nothing else is waiting.` : `${said}. ${left} left.`,
  },

  outcome: {
    withheld: (reason: string) => `But not handed over to the agent: ${reason}`,
    took: (time: string) => `after ${time}`,
    announce: (title: string, outcome: string) => `${title}: ${outcome}`,
  },
};
