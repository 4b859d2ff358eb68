import { texts } from './texts.ts';

/** The rows of the help. The keys of a row are pressed in turn; a range goes from its first key to its last. */
export const SHORTCUT_HELP: readonly {
  title: string;
  rows: readonly { keys: readonly (readonly string[])[]; does: string; isRange?: true }[];
}[] = [
  {
    title: texts.shortcuts.groups.list,
    rows: [
      { keys: [['j'], ['↓']], does: texts.shortcuts.next },
      { keys: [['k'], ['↑']], does: texts.shortcuts.previous },
      { keys: [['Enter']], does: texts.shortcuts.open },
      { keys: [['Esc']], does: texts.shortcuts.leave },
      { keys: [['o']], does: texts.shortcuts.order },
      { keys: [['/']], does: texts.shortcuts.search },
    ],
  },
  {
    title: texts.shortcuts.groups.answering,
    rows: [
      { keys: [['1'], ['9']], isRange: true, does: texts.shortcuts.choose },
      { keys: [['Enter']], does: texts.shortcuts.send },
      { keys: [['Ctrl+Enter']], does: texts.shortcuts.sendText },
    ],
  },
  {
    title: texts.shortcuts.groups.anywhere,
    rows: [
      { keys: [['g', 'p']], does: texts.navigation.pending },
      { keys: [['g', 'h']], does: texts.navigation.history },
      { keys: [['g', 's']], does: texts.navigation.sessions },
      { keys: [['g', 't']], does: texts.navigation.statistics },
      { keys: [['g', 'd']], does: texts.navigation.devices },
      { keys: [[',']], does: texts.shortcuts.settings },
      { keys: [['?']], does: texts.shortcuts.help },
    ],
  },
];
