import { useVirtualizer } from '@tanstack/react-virtual';
import type { Interaction } from 'beckon/protocol';
import { Icon, IconButton, Loading, useCover, useKey } from 'beckon/react/parts';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Talk } from './conversation.ts';
import { TalkEntry } from './talk-entry.tsx';
import { texts } from './texts.ts';
import { useConversation } from './use-conversation.ts';

/** The height of an entry that has not been drawn yet. */
const ENTRY_PX = 96;
/** So many entries from the top, older ones are read. */
const NEAR_TOP = 10;

/**
 * The conversation so far. It is not modal: the decision bar below it stays in reach. Escape closes it, and the focus
 * goes back to where it was.
 */
export function ConversationDrawer({ interaction, onClose }: { interaction: Interaction; onClose: () => void }) {
  useCover();
  const [opener] = useState(() => document.activeElement);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    };
  }, [opener]);
  useKey('Escape', onClose);
  const { entries, isLoading, readOlder } = useConversation(interaction);
  return (
    <aside
      aria-label={texts.conversation}
      className="appear absolute inset-0 z-5 flex flex-col border-line bg-surface sm:left-auto sm:w-[min(100%,28rem)] sm:border-l sm:shadow-pop 2xl:static 2xl:shrink-0 2xl:shadow-none"
    >
      <div className="flex items-center gap-2 border-b border-line py-1.5 pr-2 pl-4">
        <div className="min-w-0 flex-1">
          <h2 ref={heading} tabIndex={-1} className="text-sm font-semibold outline-none">
            {texts.conversation}
          </h2>
          <p className="text-xs text-muted">{texts.conversationHint}</p>
        </div>
        <IconButton label={texts.closeConversation} onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </div>
      {isLoading ? (
        <Loading />
      ) : entries.length === 0 ? (
        <p className="p-4 text-sm text-muted">{texts.noConversation}</p>
      ) : (
        <Entries entries={entries} currentId={interaction.id} onTop={readOlder} />
      )}
    </aside>
  );
}

function Entries({ entries, currentId, onTop }: { entries: readonly Talk[]; currentId: string; onTop: () => void }) {
  const list = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => list.current,
    estimateSize: () => ENTRY_PX,
    getItemKey: (index) => entries[index]?.key ?? index,
    overscan: 6,
  });
  const first = entries[0]?.key;
  const before = useRef<{ first: string | undefined; count: number } | null>(null);
  useLayoutEffect(() => {
    const past = before.current;
    before.current = { first, count: entries.length };
    // The newest entry leads to the request, so the reader begins there.
    if (past === null) rows.scrollToIndex(entries.length - 1, { align: 'end' });
    // Older entries above must not move what is being read.
    else if (past.first !== first) {
      rows.scrollToOffset((rows.scrollOffset ?? 0) + (entries.length - past.count) * ENTRY_PX);
    }
  }, [rows, first, entries.length]);
  const items = rows.getVirtualItems();
  const isNearTop = (items[0]?.index ?? 0) < NEAR_TOP && before.current !== null;
  const reachTop = useEffectEvent(onTop);
  useEffect(() => {
    if (isNearTop) reachTop();
  }, [isNearTop, first]);
  return (
    // A region that scrolls must be reachable with the keyboard.
    <div
      ref={list}
      tabIndex={0}
      role="group"
      aria-label={texts.entries}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain"
    >
      <ol className="relative w-full" style={{ height: rows.getTotalSize() }}>
        {items.map(({ index, start, key }) => {
          const entry = entries[index];
          if (entry === undefined) return null;
          return (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              className="absolute top-0 left-0 w-full border-b border-line px-4 py-2"
              style={{ transform: `translateY(${start}px)` }}
            >
              <TalkEntry
                entry={entry}
                isCurrent={entry.interactionId === currentId}
                isOpen={opened.has(entry.key)}
                onOpen={() => setOpened(new Set([...opened, entry.key]))}
              />
            </li>
          );
        })}
      </ol>
    </div>
  );
}
