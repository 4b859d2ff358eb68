/** The words for rules that several views use. */
export const texts = {
  preview: {
    nothing: 'There are no earlier requests to compare it with',
    decided: (matched: number, checked: number) =>
      `Would have decided ${matched === 0 ? 'none' : matched} of the last ${checked}`,
    all: (count: number, decision: string) => {
      if (count === 1) return `it was ${decision}`;
      return count === 2 ? `both were ${decision}` : `all were ${decision}`;
    },
    dangerous: (count: number) =>
      count === 1
        ? 'one more is dangerous, so you are still asked'
        : `${count} more are dangerous, so you are still asked`,
    list: 'Earlier requests that it matches',
    more: (count: number) => (count === 1 ? 'and 1 more' : `and ${count} more`),
    by: (who: string) => `by ${who}`,
  },

  times: { half_hour: '30 min', today: 'Today', week: 'A week', always: 'Always' } as const,
  until: 'How long it holds',
  asOffered: 'As it says',
  mode: 'What it does',
  modes: { on: 'On', watch: 'Watch' } as const,
  modeHints: {
    on: 'Decides from now on.',
    watch: 'Decides nothing: it only notes what it would have said.',
  } as const,

  left: (time: string) => `${time} left`,
  noEnd: 'No end',
  over: 'Has ended',

  contradiction: {
    title: (count: number) => (count === 1 ? 'Somebody denied one of these' : `People denied ${count} of these`),
    unknown: 'People decided otherwise',
    hint: 'You can still save the rule. It then leaves these out: they go on to ask.',
    list: 'What people decided otherwise',
  },

  remember: {
    title: 'Remember',
    choices: 'What to remember',
    loading: 'Looking for rules that fit',
    failed: 'The rules that fit could not be loaded.',
    none: 'No rule can be offered',
    beckon: 'Rules of Beckon, for every agent',
    ofAgent: (agent: string) => `${agent}’s own rule`,
    anAgent: 'The agent',
    keptThere: (agent: string) => `Kept by ${agent} on its machine. Beckon does not list it and cannot take it back.`,
    save: 'Save and allow',
    saveAgent: 'Allow, agent remembers',
    saveAnyway: 'Leave these out, save and allow',
    back: 'Back',
    hint: 'Saves the rule, then allows this request.',
    hintAgent: 'Allows this request, and tells the agent to remember it.',
    saved: (sentence: string) => `Rule saved: ${sentence}`,
    savedBut: (ending: string) => `Rule saved, but your answer did not count: ${ending}`,
    savedUnknown: 'Rule saved, but the request no longer exists',
    notSaved: 'The rule was not saved, and nothing was allowed',
  },

  decided: {
    removed: 'The rule was revoked since.',
    stopped: (why: string) => `The rule is stopped: ${why}`,
    wrong: 'Mark wrong',
    wrongTitle: 'Was this decided wrongly?',
    wrongHint:
      'The rule stops at once and decides nothing any more. This decision stays as it is: the agent already has it.',
    wrongConfirm: 'Mark wrong and stop the rule',
    wrongFailed: 'It could not be marked.',
    wrongDone: 'The rule is stopped',
    wrongDoneSeveral: (count: number) => `${count} rules are stopped`,
    wrongNone: 'No rule was stopped: they had stopped already.',
    also: (count: number) =>
      count === 1 ? 'It had decided one other request:' : `It had decided ${count} other requests:`,
    alsoNone: 'It had decided nothing else.',
    alsoList: 'What else it had decided',
    close: 'Close',
  },
};
