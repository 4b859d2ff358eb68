import { useVirtualizer } from '@tanstack/react-virtual';
import type { ContextSaid, Interaction } from 'beckon/protocol';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { VisibleText } from '../agent-text/visible-text.tsx';
import { useCover } from '../consent/use-consent.ts';
import { Age } from '../interactions/time-left.tsx';
import { useKey } from '../keyboard/use-key.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Loading } from '../ui/loading.tsx';
import { texts } from './texts.ts';
import { useConversation } from './use-conversation.ts';

/** What an entry shows before somebody wants all of it. */
const SHORT_CHARS = 600;
const SHORT_LINES = 8;
const ENTRY_PX = 96;

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
  const { entries, isLoading } = useConversation(interaction);
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
        <Entries entries={entries} />
      )}
    </aside>
  );
}

function Entries({ entries }: { entries: readonly ContextSaid[] }) {
  const list = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => list.current,
    estimateSize: () => ENTRY_PX,
    overscan: 6,
  });
  // The newest entry leads to the request, so the reader begins there.
  useLayoutEffect(() => rows.scrollToIndex(entries.length - 1, { align: 'end' }), [rows, entries.length]);
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
        {rows.getVirtualItems().map(({ index, start }) => {
          const entry = entries[index];
          if (entry === undefined) return null;
          return (
            <li
              key={index}
              ref={rows.measureElement}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={entries.length}
              className="absolute top-0 left-0 w-full border-b border-line px-4 py-2"
              style={{ transform: `translateY(${start}px)` }}
            >
              <Entry entry={entry} isOpen={opened.has(index)} onOpen={() => setOpened(new Set([...opened, index]))} />
            </li>
          );
        })}
      </ol>
    </div>
  );
}

const ICONS: Record<ContextSaid['by'], IconName> = { person: 'person', agent: 'agent', tool: 'sessions' };

function Entry({
  entry: { by, text, at },
  isOpen,
  onOpen,
}: {
  entry: ContextSaid;
  isOpen: boolean;
  onOpen: () => void;
}) {
  const lines = text.split('\n');
  const short = lines.slice(0, SHORT_LINES).join('\n').slice(0, SHORT_CHARS);
  const isCut = short.length < text.length;
  const isTime = at !== undefined && !Number.isNaN(Date.parse(at));
  return (
    <div className={classNames('space-y-0.5', by === 'person' && 'border-l-2 border-accent pl-2')}>
      <p className="flex items-center gap-1.5 text-xs text-muted">
        <Icon name={ICONS[by]} className="size-3.5" />
        <span className="font-medium">{texts.by[by]}</span>
        {isTime && <Age at={at} isLong className="ml-auto" />}
      </p>
      <p
        dir="auto"
        className={classNames(
          'overflow-x-clip [overflow-wrap:anywhere] whitespace-pre-wrap',
          by === 'tool' ? 'font-mono text-xs leading-5' : 'text-sm',
        )}
      >
        <VisibleText text={isOpen || !isCut ? text : `${short}…`} place={by === 'tool' ? 'code' : 'prose'} />
      </p>
      {isCut && !isOpen && (
        <Button look="quiet" size="small" onClick={onOpen} className="-ml-2">
          {texts.showAll(lines.length)}
        </Button>
      )}
    </div>
  );
}
