export const texts = {
  showRest: (kilobytes: number) => `Show the rest (${kilobytes} KB)`,
  hidden: (code: string) => `${code}: an invisible character`,
  twin: (code: string) => `${code}: looks like another letter`,
  warning: (count: number) =>
    count === 1
      ? 'One character here is invisible or looks like another. It is marked.'
      : `${count} characters here are invisible or look like others. They are marked.`,
};
