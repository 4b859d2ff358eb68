/** The words for a request that every view uses. */
export const texts = {
  claim: (name: string) => `calls itself “${name}”`,
  sample: 'Sample',
  step: (step: number, steps: number) => `${step} of ${steps}`,

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
    over: 'Time is up',
    none: 'No deadline',
  },
};
