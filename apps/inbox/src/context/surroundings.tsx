import { toVisibleLine } from 'beckon/presentation';
import type { Interaction } from 'beckon/protocol';
import { Button, Icon, KeyHint, useIsNarrow, VisibleText } from 'beckon/react/parts';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { CallLine } from './call-line.tsx';
import { hasConversation } from './has-conversation.ts';
import { texts } from './texts.ts';
import { useRequestContext } from './use-request-context.ts';

const Markdown = lazy(() => import('./markdown.ts').then((module) => ({ default: module.Markdown })));

/** Up to three lines are shown of a message; this many characters surely fit. */
const SHORT_CHARS = 90;
const FIRST_CALLS = { wide: 5, narrow: 2 };

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
  const [isOpen, setOpen] = useState(false);
  const isNarrow = useIsNarrow();
  const summary = interaction.context ?? {};
  const message = (context?.message ?? summary.message ?? '').trim();
  const { calls = [] } = context ?? {};
  const prompt = context?.prompt?.trim() ?? '';
  const shownCalls = isOpen ? calls : calls.slice(isNarrow ? -FIRST_CALLS.narrow : -FIRST_CALLS.wide);
  const hasMore =
    message.length > SHORT_CHARS || message.includes('\n') || prompt !== '' || shownCalls.length < calls.length;
  return (
    <section aria-label={texts.label} className="space-y-1 border-b border-line pb-3 text-sm">
      {isOpen && prompt !== '' && (
        <Row name={texts.task}>
          <p dir="auto" className="max-h-[30vh] overflow-y-auto [overflow-wrap:anywhere] whitespace-pre-line">
            <VisibleText text={prompt} />
          </p>
        </Row>
      )}
      {message !== '' && (
        <Row name={texts.why}>
          {isOpen ? (
            <div className="max-h-[40vh] overflow-y-auto">
              <Suspense fallback={<VisibleText text={message} />}>
                <Markdown text={message} />
              </Suspense>
            </div>
          ) : (
            <p dir="auto" className="line-clamp-2 overflow-x-clip [overflow-wrap:anywhere] sm:line-clamp-3">
              {toVisibleLine(message.replaceAll('**', ''), 500)}
            </p>
          )}
        </Row>
      )}
      {calls.length > 0 && (
        <Row name={texts.before}>
          <ol className="flex max-h-[30vh] flex-wrap items-baseline gap-x-3 gap-y-0.5 overflow-y-auto">
            {shownCalls.map((call, index) => (
              <li key={index} className="max-w-full min-w-0">
                <CallLine call={call} />
              </li>
            ))}
          </ol>
        </Row>
      )}
      <div className="-mb-1.5 -ml-2 flex flex-wrap gap-1 pointer-coarse:-my-2">
        {hasMore && (
          <Button look="quiet" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? texts.less : texts.more}
          </Button>
        )}
        {hasConversation(interaction) && (
          <Button
            look="quiet"
            size="small"
            aria-expanded={isConversationOpen}
            aria-keyshortcuts="c"
            onClick={onConversation}
          >
            <Icon name="chat" />
            {texts.openConversation}
            <KeyHint name="c" />
          </Button>
        )}
      </div>
      {isFailed && <p className="text-xs text-muted">{texts.loadFailed}</p>}
    </section>
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
