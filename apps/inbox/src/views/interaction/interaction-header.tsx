import { toAsker, toVisibleLine } from 'beckon/presentation';
import type { Interaction } from 'beckon/protocol';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { toSessionPath, toShortId } from '../../interactions/links.ts';
import { useShortcuts } from '../../keyboard/use-shortcuts.ts';
import { useApp } from '../../live/app-context.ts';
import { texts } from '../../texts.ts';
import { AskerClaim } from '../../ui/asker-claim.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Age, TimeLeft } from '../../ui/time-left.tsx';

const DismissDialog = lazy(() => import('./dismiss-dialog.tsx').then((module) => ({ default: module.DismissDialog })));

/** Who asks, from which session, and how long it waits. */
export function InteractionHeader({
  interaction,
  isLogShown,
  onLog,
  onClose,
  onNext,
}: {
  interaction: Interaction;
  isLogShown: boolean;
  onLog: () => void;
  onClose: () => void;
  onNext: (() => void) | undefined;
}) {
  const { me } = useApp();
  const [isDismissing, setDismissing] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const { kind, sessionId, chatId, createdAt, expiresAt, status } = interaction;
  const isPending = status === 'pending';
  const asker = toAsker(interaction);
  useShortcuts({ leave: onClose });
  // Somebody who opened it goes on from here; a reload leaves the focus to the browser.
  useEffect(() => {
    if ((window.history.state as { focus?: unknown } | null)?.focus === true)
      heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <header className="shrink-0 border-b border-line px-4 py-2.5 lg:px-6">
      <div className="flex min-h-9 items-center gap-2">
        <IconButton label={texts.back} onClick={onClose} className="-ml-2 lg:hidden">
          <Icon name="back" />
        </IconButton>
        <Icon name={kind} className="text-accent-text" />
        <h1 ref={heading} tabIndex={-1} className="min-w-0 flex-1 truncate font-semibold outline-none">
          {texts.interaction.from(texts.kindNames[kind], asker.name)}
        </h1>
        {isPending && (
          <span className="flex text-sm max-sm:hidden">
            <TimeLeft expiresAt={expiresAt} isLong />
          </span>
        )}
        {onNext !== undefined && (
          <IconButton label={texts.interaction.next} onClick={onNext}>
            <Icon name="next" />
          </IconButton>
        )}
        <IconButton label={texts.interaction.close} onClick={onClose} className="max-lg:hidden">
          <Icon name="close" />
        </IconButton>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
        {isPending && (
          <span className="flex sm:hidden">
            <TimeLeft expiresAt={expiresAt} isLong />
          </span>
        )}
        {asker.isSample && <Badge tone="accent">{texts.sample}</Badge>}
        <AskerClaim asker={asker} />
        {sessionId !== undefined && (
          <span className="min-w-0 truncate">
            {`${texts.interaction.session} `}
            <Link
              to={toSessionPath(sessionId)}
              title={sessionId}
              className="text-accent-text underline-offset-2 hover:underline"
            >
              <bdi>{toVisibleLine(toShortId(sessionId), 40)}</bdi>
            </Link>
          </span>
        )}
        <span className="min-w-0 truncate">
          {`${texts.interaction.chat} `}
          <bdi>{toVisibleLine(chatId, 40)}</bdi>
        </span>
        <span>
          {`${texts.interaction.asked} `}
          <Age at={createdAt} isLong />
        </span>
        <span className="-my-1 ml-auto flex items-center gap-1 pointer-coarse:-my-3">
          <Button look="quiet" size="small" aria-expanded={isLogShown} onClick={onLog}>
            <Icon name="log" />
            {isLogShown ? texts.interaction.hideLog : texts.interaction.showLog}
          </Button>
          {isPending && me.role === 'admin' && (
            <Button look="quiet" size="small" onClick={() => setDismissing(true)}>
              {texts.interaction.dismiss}
            </Button>
          )}
        </span>
      </div>
      <Suspense>
        {isDismissing && <DismissDialog interaction={interaction} onClose={() => setDismissing(false)} />}
      </Suspense>
    </header>
  );
}
