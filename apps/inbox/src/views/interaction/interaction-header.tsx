import { KIND_NAMES, toAsker, toPlace, toVisibleLine } from 'beckon/presentation';
import { DEFAULT_CHAT_ID, type Interaction } from 'beckon/protocol';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { PlaceLine } from '../../context/place-line.tsx';
import { AskerClaim } from '../../interactions/asker-claim.tsx';
import { toSessionPath, toShortId } from '../../interactions/links.ts';
import { texts as interactionTexts } from '../../interactions/texts.ts';
import { Age, TimeLeft } from '../../interactions/time-left.tsx';
import { useKey } from '../../keyboard/use-key.ts';
import { useApp } from '../../live/app-context.ts';
import { BackButton } from '../../ui/back-button.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { loadClaimDetails } from './lazy-parts.ts';
import { texts } from './texts.ts';

const ClaimDetails = lazy(() => loadClaimDetails().then((module) => ({ default: module.ClaimDetails })));
const DismissDialog = lazy(() => import('./dismiss-dialog.tsx').then((module) => ({ default: module.DismissDialog })));

/** Who asks, in which session, and the time left. */
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
  const [isExplained, setExplained] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const { kind, sessionId, chatId, createdAt, expiresAt, status } = interaction;
  const isPending = status === 'pending';
  const asker = toAsker(interaction);
  const place = toPlace(interaction);
  const hasClaims = interaction.context !== undefined;
  const hasPlace = [place.project, place.branch, place.agent, place.machine].some((part) => part !== undefined);
  useKey('Escape', onClose);
  // Opening a request moves the focus here; a reload leaves it to the browser.
  useEffect(() => {
    if ((window.history.state as { focus?: unknown } | null)?.focus === true)
      heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <header className="shrink-0 border-b border-line px-4 py-2.5 lg:px-6">
      <div className="flex min-h-9 items-center gap-2">
        <BackButton onClick={onClose} />
        <Icon name={kind} className="text-accent-text" />
        <div className="min-w-0 flex-1">
          <PlaceLine interaction={interaction} className="truncate max-sm:line-clamp-2 max-sm:whitespace-normal" />
          <h1
            ref={heading}
            tabIndex={-1}
            className={classNames('truncate outline-none', hasPlace ? 'text-xs text-muted' : 'font-semibold')}
          >
            {texts.from(KIND_NAMES[kind], asker.name)}
          </h1>
        </div>
        {isPending && (
          <span className="flex text-sm max-sm:hidden">
            <TimeLeft expiresAt={expiresAt} isLong />
          </span>
        )}
        {onNext !== undefined && (
          <IconButton label={texts.next} onClick={onNext}>
            <Icon name="next" />
          </IconButton>
        )}
        <IconButton label={texts.close} onClick={onClose} className="max-lg:hidden">
          <Icon name="close" />
        </IconButton>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
        {isPending && (
          <span className="flex sm:hidden">
            <TimeLeft expiresAt={expiresAt} isLong />
          </span>
        )}
        {asker.isSample && <Badge tone="accent">{interactionTexts.sample}</Badge>}
        <AskerClaim asker={asker} />
        {sessionId === undefined && place.title !== undefined && (
          <bdi className="min-w-0 truncate">{texts.title(place.title)}</bdi>
        )}
        {sessionId !== undefined && (
          <span className="min-w-0 truncate">
            {place.title === undefined && `${texts.session} `}
            <Link
              to={toSessionPath(sessionId)}
              title={place.title === undefined ? sessionId : place.title}
              className="text-accent-text underline-offset-2 hover:underline"
            >
              <bdi>
                {place.title === undefined ? toVisibleLine(toShortId(sessionId), 40) : texts.title(place.title)}
              </bdi>
            </Link>
          </span>
        )}
        {chatId !== DEFAULT_CHAT_ID && (
          <span className="min-w-0 truncate">
            {`${texts.chat} `}
            <bdi>{toVisibleLine(chatId, 40)}</bdi>
          </span>
        )}
        <span>
          {`${texts.asked} `}
          <Age at={createdAt} isLong />
        </span>
        {hasClaims && (
          <button
            type="button"
            aria-expanded={isExplained}
            onClick={() => setExplained(!isExplained)}
            className="tap inline-flex items-center gap-1 rounded-full border border-dashed border-line-strong px-2 leading-5 hover:bg-hover hover:text-ink pointer-coarse:-my-3 pointer-coarse:border-transparent"
          >
            <Icon name="agent" className="size-3.5" />
            {texts.claim}
          </button>
        )}
        <span className="-my-1 ml-auto flex items-center gap-1 pointer-coarse:-my-3">
          <Button look="quiet" size="small" aria-expanded={isLogShown} onClick={onLog}>
            <Icon name="log" />
            {isLogShown ? texts.hideLog : texts.showLog}
          </Button>
          {isPending && me.role === 'admin' && (
            <Button look="quiet" size="small" onClick={() => setDismissing(true)}>
              {texts.dismiss}
            </Button>
          )}
        </span>
      </div>
      <Suspense>
        {isExplained && <ClaimDetails interaction={interaction} />}
        {isDismissing && <DismissDialog interaction={interaction} onClose={() => setDismissing(false)} />}
      </Suspense>
    </header>
  );
}
