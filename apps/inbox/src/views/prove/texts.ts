export const texts = {
  title: 'Confirm where you are told',
  working: 'Confirming',
  provenTitle: 'Confirmed',
  proven: (label: string) => `From now on ${label} is told of requests.`,
  failedTitle: 'Could not be confirmed',
  unusable: 'This link does not work. It is not complete, or you opened it before. Send a new one, or type the code.',
  open: 'Open the requests',
};
