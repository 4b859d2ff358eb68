export const texts = {
  label: 'Requests',
  none: 'Nothing is waiting for you.',
  waiting: (count: number) => (count === 1 ? '1 request is waiting' : `${count} requests are waiting`),
  more: 'There are more. Answer these first.',
  failed: 'The requests could not be read. Trying again.',
  gone: 'This request no longer exists.',
  elsewhere: 'It was settled elsewhere.',
  next: 'Next request',
};
