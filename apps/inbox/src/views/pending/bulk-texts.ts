/** The words of deciding together. They load with its dialog. */
export const bulkTexts = {
  title: (count: number) => (count === 1 ? 'Decide 1 request' : `Decide ${count} requests together`),
  hint: 'Each is decided as it is shown here. Requests that arrive later are not included.',
  list: 'Requests to decide',
  takeOut: (headline: string) => `Take out: ${headline}`,
  putBack: 'Put all back',
  settled: 'Already ended',
  none: 'Nothing is left to decide.',
  alone: (count: number) =>
    count === 1
      ? 'One of them is dangerous or not checked. It can be denied here; to allow it, open it by itself.'
      : `${count} of them are dangerous or not checked. They can be denied here; to allow them, open each by itself.`,
  allowSome: (count: number, of: number) => `Allow ${count} of ${of}`,
  refused: 'Nothing was decided.',
  allow: (count: number) => (count === 1 ? 'Allow it' : `Allow all ${count}`),
  deny: (count: number) => (count === 1 ? 'Deny it' : `Deny all ${count}`),
  reason: 'Reason, if you deny (optional)',
  wordless: (count: number) =>
    count === 1 ? 'One of these agents cannot read a reason.' : `${count} of these agents cannot read a reason.`,
  failed: 'The decision may not have arrived.',
  failedHint: 'You can safely press again: an answer never counts twice.',
  decided: {
    allow: (count: number) => `${count} allowed`,
    deny: (count: number) => `${count} denied`,
  },
  lost: (count: number, by: string) => `${count} had already been answered by ${by}`,
  late: (count: number) => `${count} had already ended`,
  unknown: (count: number) => `${count} no longer existed`,
};
