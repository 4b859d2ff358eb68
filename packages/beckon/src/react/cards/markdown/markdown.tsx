import { use, useEffect, useState } from 'react';
import type { MarkdownNode } from '../../markdown/tree.ts';
import { PlainText } from '../agent-text/plain-text.tsx';
import { useAwaited } from '../consent/use-consent.ts';
import { Button } from '../ui/button.tsx';
import { BlockContext } from './block-context.ts';
import { formatMarkdown } from './format-markdown.ts';
import { MarkdownNodes } from './markdown-elements.tsx';
import { texts } from './texts.ts';

/** Longer texts are formatted only on request. */
const MOST_CHARS = 100_000;
const LIMIT_MS = 2_000;

/** Markdown from an agent, formatted if that is safe and fast, else as written. It runs and loads nothing. */
export function Markdown({ text, isAwaited = true }: { text: string; isAwaited?: boolean }) {
  const isLarge = text.length > MOST_CHARS;
  const [asked, setAsked] = useState<string>();
  const isFormatted = !isLarge || asked === text;
  const hasLines = use(BlockContext) !== null;
  const formatted = useFormatted(text, isFormatted, hasLines);
  if (formatted === 'waiting') return <Waiting isAwaited={isAwaited} />;
  if (formatted !== null) {
    return (
      <div dir="auto" className="space-y-3 overflow-x-clip break-words">
        <MarkdownNodes nodes={formatted} />
      </div>
    );
  }
  return (
    <div className="space-y-2">
      <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
        {isLarge && !isFormatted ? texts.large(Math.round(text.length / 1024)) : texts.unformatted}
        {!isFormatted && (
          <Button size="small" onClick={() => setAsked(text)}>
            {texts.showFormatted}
          </Button>
        )}
      </p>
      <PlainText text={text} place="prose" />
    </div>
  );
}

function Waiting({ isAwaited }: { isAwaited: boolean }) {
  return (
    <div role="status" className="late space-y-2 py-1">
      {isAwaited && <Awaited />}
      <span className="sr-only">{texts.formatting}</span>
      {['w-1/2', 'w-11/12', 'w-4/5'].map((width) => (
        <div key={width} aria-hidden="true" className={`h-3.5 rounded bg-hover ${width}`} />
      ))}
    </div>
  );
}

function Awaited() {
  useAwaited();
  return null;
}

/** The tree of a text; `null` if it is shown as written. */
function useFormatted(text: string, isWanted: boolean, hasLines: boolean): MarkdownNode[] | null | 'waiting' {
  const [done, setDone] = useState<{ text: string; nodes: MarkdownNode[] | null }>();
  useEffect(() => {
    if (!isWanted) return undefined;
    const leaving = new AbortController();
    formatMarkdown({ text, hasLines }, LIMIT_MS, leaving.signal).then(
      (nodes) => leaving.signal.aborted || setDone({ text, nodes }),
      () => setDone({ text, nodes: null }),
    );
    return () => leaving.abort();
  }, [text, isWanted, hasLines]);
  if (!isWanted) return null;
  return done?.text === text ? done.nodes : 'waiting';
}
