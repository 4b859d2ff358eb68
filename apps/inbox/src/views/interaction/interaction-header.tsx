import { KIND_NAMES, toAsker, toPlace, toVisibleLine } from 'beckon/presentation';
import { DEFAULT_CHAT_ID, type Interaction } from 'beckon/protocol';
import { Badge, Button, classNames, Icon, IconButton, useKey } from 'beckon/react/parts';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { PlaceLine } from '../../context/place-line.tsx';
import { AskerClaim } from '../../interactions/asker-claim.tsx';
import { toSessionPath, toShortId } from '../../interactions/links.ts';
import { texts as interactionTexts } from '../../interactions/texts.ts';
import { Age, TimeLeft } from '../../interactions/time-left.tsx';
import { useApp } from '../../live/app-context.ts';
import { useTitles } from '../../live/use-titles.ts';
import { BackButton } from '../../ui/back-button.tsx';
import { loadClaimDetails } from './lazy-parts.ts';
import { texts } from './texts.ts';

const ClaimDetails = lazy(() => loadClaimDetails().then((module) => ({ default: module.ClaimDetails })));
const DismissDialog = lazy(() => import('./dismiss-dialog.tsx').then((module) => ({ default: module.DismissDialog })));

/** Who asks, in which session, and the time left. */
export function InteractionHeader({
  interaction,
  actions,
  isLogShown,
  onLog,
  onClose,
  onNext,
}: {
  interaction: Interaction;
  /** What can be done with a pending request besides deciding it. */
  actions: ReactNode;
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
    <header className="shrink-0 border-b border-line px-4 py-2 lg:px-6">
      <div className="flex min-h-9 items-center gap-2">
        <BackButton onClick={onClose} />
        <Icon name={kind} className="text-accent-text max-sm:hidden" />
        <div className="min-w-0 flex-1">
          <PlaceLine interaction={interaction} className="truncate" />
          <div className={classNames('flex items-baseline gap-1.5', hasPlace && 'text-xs text-muted')}>
            <h1
              ref={heading}
              tabIndex={-1}
              className={classNames('truncate outline-none', !hasPlace && 'font-semibold')}
            >
              {texts.from(KIND_NAMES[kind], asker.name)}
            </h1>
            <span className="shrink-0 text-xs text-muted">
              {'· '}
              <Age at={createdAt} isLong />
            </span>
          </div>
        </div>
        {isPending && (
          <span className={classNames('flex text-sm', expiresAt === undefined && 'max-sm:hidden')}>
            {/* A phone has room for it only when it matters. */}
            <span className="sm:hidden">
              <TimeLeft expiresAt={expiresAt} />
            </span>
            <span className="max-sm:hidden">
              <TimeLeft expiresAt={expiresAt} isLong />
            </span>
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
      <div className="flex items-center gap-x-3 text-xs text-muted">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3">
          {asker.isSample && <Badge tone="accent">{interactionTexts.sample}</Badge>}
          <SessionName sessionId={sessionId} title={place.title} />
          <AskerClaim interaction={interaction} />
          {chatId !== DEFAULT_CHAT_ID && (
            <span className="min-w-0 truncate">
              {`${texts.chat} `}
              <bdi>{toVisibleLine(chatId, 40)}</bdi>
            </span>
          )}
        </div>
        <span className="-my-1 flex shrink-0 items-center gap-1 pointer-coarse:-my-2">
          {hasClaims && (
            <Button look="quiet" size="small" aria-expanded={isExplained} onClick={() => setExplained(!isExplained)}>
              <Icon name="agent" />
              <span className="underline decoration-dashed underline-offset-4 max-sm:sr-only">{texts.claim}</span>
            </Button>
          )}
          <Button look="quiet" size="small" aria-expanded={isLogShown} onClick={onLog}>
            <Icon name="log" />
            <span className="max-sm:sr-only">{isLogShown ? texts.hideLog : texts.showLog}</span>
          </Button>
          {isPending && actions}
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

/** The title of the session, or its id, with a link to everything that happened in it. */
function SessionName({ sessionId, title: claimed }: { sessionId: string | undefined; title: string | undefined }) {
  // A title that a person gave is known to be theirs.
  const title = useTitles().get(sessionId ?? '') ?? claimed;
  if (sessionId === undefined) return title === undefined ? null : <bdi className="truncate">{texts.title(title)}</bdi>;
  return (
    <span className="min-w-0 truncate">
      {title === undefined && `${texts.session} `}
      <Link
        to={toSessionPath(sessionId)}
        title={title ?? sessionId}
        className="text-accent-text underline-offset-2 hover:underline"
      >
        <bdi>{title === undefined ? toVisibleLine(toShortId(sessionId), 40) : texts.title(title)}</bdi>
      </Link>
    </span>
  );
}
