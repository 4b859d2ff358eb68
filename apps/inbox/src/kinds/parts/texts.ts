export const texts = {
  sending: 'Sending…',
  enter: '⏎',
  answerOnly: 'This login can answer, but not change what runs.',
  showMore: (more: number) => `Show ${more} more`,
  settled: { notes: 'Notes', feedback: 'Feedback', reason: 'Reason' },

  json: {
    label: 'JSON',
    invalid: (message: string, line: number) => `Line ${line} is not valid JSON: ${message}.`,
    notAnObject: 'Enter a JSON object: { … }.',
    empty: { object: 'empty', array: 'empty list', text: 'empty text' },
    item: (place: number) => `Item ${place}`,
  },

  diff: {
    label: (path: string) => `Changes in ${path}`,
    counts: (added: number, removed: number) => `${added} added, ${removed} removed`,
    same: (lines: number) => (lines === 1 ? '1 unchanged line' : `${lines} unchanged lines`),
    identical: 'Nothing changes.',
    inexact: 'The texts are too different to compare line by line.',
    added: 'added',
    removed: 'removed',
    comparing: 'Comparing…',
  },
};
