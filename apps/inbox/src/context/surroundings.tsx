import { toVisibleLine } from 'beckon/presentation';
import type { ContextCall, Interaction } from 'beckon/protocol';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { VisibleText } from '../agent-text/visible-text.tsx';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/icon.tsx';
import { KeyHint } from '../ui/key-hint.tsx';
import { CallLine } from './call-line.tsx';
import { texts } from './texts.ts';
import { useRequestContext } from './use-request-context.ts';

const Markdown = lazy(() => import('../markdown/markdown.tsx').then((module) => ({ default: module.Markdown })));

/** A message that is surely no longer than the three lines it gets. */
const SHORT_CHARS = 120;
const FIRST_CALLS = 5;

/** Why the agent asks, and what it did before: its last message, the calls before this one, the conversation. */
export function Surroundings({
  interaction,
  isConversationOpen,
  onConversation,
}: {
  interaction: Interaction;
  isConversationOpen: boolean;
  onConversation: () => void;
}) {
  const { context, isFailed } = useRequestContext(interaction);
  const summary = interaction.context;
  if (summary === undefined) return null;
  const message = context?.message ?? summary.message;
  const { prompt, calls = [] } = context ?? {};
  const task = prompt !== undefined && prompt.trim() !== summary.title?.trim() ? prompt : undefined;
  return (
    <div className="space-y-1.5 text-sm">
      {task !== undefined && (
        <Row name={texts.task}>
          <Folded text={task} />
        </Row>
      )}
      {message !== undefined && message.trim() !== '' && (
        <Row name={texts.why}>
          <Folded text={message} isMarkdown />
        </Row>
      )}
      {(calls.length > 0 || summary.hasMore === true) && (
        <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          {calls.length > 0 && (
            <div className="min-w-0 flex-1 basis-60">
              <Row name={texts.before}>
                <Calls calls={calls} />
              </Row>
            </div>
          )}
          {summary.hasMore === true && (
            <Button
              look="quiet"
              size="small"
              aria-expanded={isConversationOpen}
              aria-keyshortcuts="c"
              onClick={onConversation}
              className="-my-1 -ml-2 lg:ml-auto"
            >
              <Icon name="chat" />
              {texts.openConversation}
              <KeyHint name="c" />
            </Button>
          )}
        </div>
      )}
      {isFailed && <p className="text-xs text-muted">{texts.loadFailed}</p>}
    </div>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline gap-2">
      <span className="w-12 shrink-0 text-xs font-medium text-muted">{name}</span>
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}

/** Up to three lines as written; all of it on demand, formatted if it is Markdown. */
function Folded({ text, isMarkdown = false }: { text: string; isMarkdown?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > SHORT_CHARS || text.trim().includes('\n');
  const plain = (
    <p
      dir="auto"
      className={classNames(
        'overflow-x-clip [overflow-wrap:anywhere]',
        isOpen ? 'max-h-[40vh] overflow-y-auto whitespace-pre-line' : 'line-clamp-3',
      )}
    >
      {isOpen ? <VisibleText text={text} /> : toVisibleLine(text, 500)}
    </p>
  );
  return (
    <>
      {isOpen && isMarkdown ? (
        <div className="max-h-[40vh] overflow-y-auto">
          <Suspense fallback={plain}>
            <Markdown text={text} />
          </Suspense>
        </div>
      ) : (
        plain
      )}
      {isLong && (
        <Button look="quiet" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className="-ml-2">
          {isOpen ? texts.less : texts.more}
        </Button>
      )}
    </>
  );
}

function Calls({ calls }: { calls: readonly ContextCall[] }) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? calls : calls.slice(-FIRST_CALLS);
  const hidden = calls.length - shown.length;
  return (
    <ol className="flex max-h-[40vh] flex-wrap items-baseline gap-x-3 gap-y-0.5 overflow-y-auto">
      {hidden > 0 && (
        <li>
          <Button look="quiet" size="small" onClick={() => setOpen(true)} className="-my-1 -ml-2">
            {texts.earlier(hidden)}
          </Button>
        </li>
      )}
      {shown.map((call, index) => (
        <li key={index} className="max-w-full min-w-0">
          <CallLine call={call} />
        </li>
      ))}
    </ol>
  );
}
