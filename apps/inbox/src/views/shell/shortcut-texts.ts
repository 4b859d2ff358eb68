// Apart from the texts of the shell: the help is loaded on demand.
export const texts = {
  title: 'Keyboard shortcuts',
  groups: {
    deciding: 'Decide',
    list: 'In a list',
    request: 'With the open request',
    anywhere: 'Anywhere',
  } as const,
  names: { ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc' } as Readonly<Record<string, string>>,
  open: 'Open',
  send: 'Next, or send the answer',
  sendText: 'Send from a longer text',
  rule: 'A key acts on what is in front of you, and must be released before it acts again.',
  off: 'Single keys are switched off in the settings.',
  afterwards: 'then',
  or: 'or',
  to: 'to',
};
