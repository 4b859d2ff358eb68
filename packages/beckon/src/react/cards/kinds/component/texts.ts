export const texts = {
  actions: 'What you can do',
  noActions: 'There is nothing to choose. Confirm that you have seen it.',
  seen: 'I have seen it',
  content: 'Content from the agent',
  elsewhere: (host: string) =>
    `not loaded${host === '' ? '' : ` from ${host}`}: this page shows nothing from other sites.`,
};
