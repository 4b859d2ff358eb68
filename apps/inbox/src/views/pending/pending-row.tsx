import { KIND_NAMES, toAsker, toHeadline, toStep, toVisibleLine } from 'beckon/presentation';
import { DEFAULT_CHAT_ID, type Interaction } from 'beckon/protocol';
import { memo } from 'react';
import { Link } from 'wouter';
import { AskerClaim } from '../../interactions/asker-claim.tsx';
import { toInteractionPath, toShortId } from '../../interactions/links.ts';
import { texts as interactionTexts } from '../../interactions/texts.ts';
import { Age, TimeLeft } from '../../interactions/time-left.tsx';
import { Badge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';

/** One pending request in the list. */
export const PendingRow = memo(function PendingRow({
  interaction,
  isOpen,
  onFocus,
}: {
  interaction: Interaction;
  isOpen: boolean;
  onFocus: (id: string) => void;
}) {
  const { id, kind, chatId, sessionId, createdAt, expiresAt } = interaction;
  const step = toStep(interaction);
  const asker = toAsker(interaction);
  return (
    <Link
      to={toInteractionPath(id)}
      state={{ focus: true }}
      data-id={id}
      aria-current={isOpen ? 'true' : undefined}
      onFocus={() => onFocus(id)}
      className={classNames(
        'flex h-full gap-2.5 border-b border-line px-4 py-2.5 -outline-offset-2',
        isOpen ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      <Icon name={kind} className="mt-0.5 text-muted" />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="flex items-center gap-2 text-xs text-muted">
          <span className="min-w-0 flex-1 truncate">
            <bdi>{asker.name}</bdi> <AskerClaim asker={asker} />
          </span>
          <TimeLeft expiresAt={expiresAt} />
        </span>
        <bdi className="block truncate text-sm leading-6 font-medium">{toHeadline(interaction)}</bdi>
        <span className="flex items-center gap-1.5 text-xs text-muted">
          <span className="shrink-0">{KIND_NAMES[kind]}</span>
          {step !== null && <Badge>{interactionTexts.step(step.step, step.steps)}</Badge>}
          {asker.isSample && <Badge tone="accent">{interactionTexts.sample}</Badge>}
          <span className="min-w-0 flex-1 truncate">
            {!asker.isSample && chatId !== DEFAULT_CHAT_ID && <bdi>{`· ${toVisibleLine(chatId, 40)} `}</bdi>}
            {!asker.isSample && sessionId !== undefined && <bdi>{`· ${toVisibleLine(toShortId(sessionId), 40)}`}</bdi>}
          </span>
          <Age at={createdAt} />
        </span>
      </span>
    </Link>
  );
});
