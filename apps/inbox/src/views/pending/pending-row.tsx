import {
  type ChangeSize,
  KIND_NAMES,
  type PendingEntry,
  toAsker,
  toChangeSize,
  toHeadline,
  toVisibleLine,
} from 'beckon/presentation';
import { DEFAULT_CHAT_ID, type Interaction, type RiskLevel } from 'beckon/protocol';
import { Badge, classNames, Icon, type IconName, LevelBadge, StepsBadge } from 'beckon/react/parts';
import { type MouseEvent, memo, useMemo } from 'react';
import { Link } from 'wouter';
import { AskerClaim } from '../../interactions/asker-claim.tsx';
import { toInteractionPath } from '../../interactions/links.ts';
import { texts as interactionTexts } from '../../interactions/texts.ts';
import { Waiting } from '../../interactions/time-left.tsx';
import { texts } from './texts.ts';
import type { Density } from './use-list-preferences.ts';

/** What a row tells the list. All take the id of the row's request. */
export interface RowActions {
  onFocus: (id: string) => void;
  /** The row that is open already is pressed again. */
  onEnter: () => void;
  /** Selects or unselects; with `isRange`, everything from the last selected row on. */
  onSelect: (id: string, isRange: boolean) => void;
}

/** One pending request in the list, or the questions of one call. */
export const PendingRow = memo(function PendingRow({
  entry,
  level,
  density,
  isOpen,
  isSelected,
  isSelecting,
  isForeign,
  actions,
}: {
  entry: PendingEntry;
  /** Absent while it is not known. */
  level: RiskLevel | undefined;
  density: Density;
  isOpen: boolean;
  isSelected: boolean;
  /** Something is selected, so every row shows its checkbox. */
  isSelecting: boolean;
  isForeign: boolean;
  actions: RowActions;
}) {
  const { interaction } = entry;
  const { id, kind, createdAt, expiresAt } = interaction;
  const asker = toAsker(interaction);
  const headline = toHeadline(interaction);
  const isRoomy = density === 'roomy';
  const canSelect = kind === 'approval';
  const press = (event: MouseEvent): void => {
    if (event.shiftKey && canSelect) {
      // A browser would open a window.
      event.preventDefault();
      actions.onSelect(id, true);
    } else if (isOpen && !event.ctrlKey && !event.metaKey) actions.onEnter();
  };
  return (
    <div
      className={classNames(
        'group relative flex h-full border-b border-line',
        isSelected ? 'bg-accent-soft' : isOpen ? 'bg-selected-row' : 'hover:bg-hover',
      )}
    >
      {isOpen && <span aria-hidden="true" className="absolute inset-y-0 left-0 w-0.75 bg-accent" />}
      <span className={classNames('relative flex w-11 shrink-0 justify-center', isRoomy ? 'pt-2.5' : 'items-center')}>
        <Icon
          name={toSign(interaction)}
          className={classNames(
            'text-muted',
            canSelect &&
              (isSelecting ? 'invisible' : 'group-has-[input:focus-visible]:invisible group-hover:invisible'),
          )}
        />
        {canSelect && (
          <label className="absolute inset-0 flex cursor-pointer justify-center">
            <input
              type="checkbox"
              checked={isSelected}
              aria-label={texts.select(headline)}
              // A change event does not know of the shift key.
              onChange={() => undefined}
              onClick={(event) => actions.onSelect(id, event.shiftKey)}
              className={classNames(
                'size-4 accent-accent focus-visible:opacity-100 group-hover:opacity-100',
                isRoomy ? 'mt-2.5' : 'self-center',
                isSelecting ? 'opacity-100' : 'opacity-0',
              )}
            />
          </label>
        )}
      </span>
      <Link
        to={toInteractionPath(id)}
        state={{ focus: true }}
        data-id={id}
        title={`${headline}\n${texts.from(KIND_NAMES[kind], asker.name)}`}
        aria-current={isOpen ? 'true' : undefined}
        onFocus={() => actions.onFocus(id)}
        // Capturing, because a link leaves out presses with a modifier.
        onClickCapture={press}
        className={classNames(
          '-ml-1.5 flex min-w-0 flex-1 pr-3 pl-1.5 -outline-offset-2',
          isRoomy ? 'flex-col justify-center gap-0.5' : 'items-center gap-2',
        )}
      >
        <span className={classNames('flex min-w-0 items-center gap-2', !isRoomy && 'flex-1')}>
          {asker.isSample && <Badge tone="accent">{interactionTexts.sample}</Badge>}
          {isForeign && !isRoomy && <Badge tone="warning">{asker.name}</Badge>}
          <LevelBadge level={level} />
          <bdi className="min-w-0 flex-1 truncate text-sm">{headline}</bdi>
          <span className="sr-only">{KIND_NAMES[kind]}</span>
          {!isRoomy && <Facts entry={entry} />}
        </span>
        {isRoomy && (
          <span className="flex min-w-0 items-center gap-2 text-xs text-muted">
            <span className="min-w-0 flex-1 truncate">
              <bdi>{asker.name}</bdi> <AskerClaim interaction={interaction} />
              {interaction.chatId !== DEFAULT_CHAT_ID && !asker.isSample && (
                <bdi>{` · ${toVisibleLine(interaction.chatId, 40)}`}</bdi>
              )}
            </span>
            <Facts entry={entry} />
            <Waiting since={createdAt} until={expiresAt} />
          </span>
        )}
        {!isRoomy && <Waiting since={createdAt} until={expiresAt} />}
      </Link>
    </div>
  );
});

// Most requests are approvals, so their signs say what would happen.
function toSign(interaction: Interaction): IconName {
  if (interaction.kind !== 'approval') return interaction.kind;
  const { input } = interaction.request;
  const has = (name: string): boolean => Object.hasOwn(input, name);
  if (has('file_path') || has('notebook_path') || interaction.request.tool === 'apply_patch') return 'edit';
  if (has('command')) return 'run';
  return has('url') ? 'fetch' : 'approval';
}

function Facts({ entry }: { entry: PendingEntry }) {
  const { interaction } = entry;
  const size = useMemo(() => toChangeSize(interaction), [interaction]);
  return (
    <>
      {size !== null && <Size size={size} />}
      <StepsBadge entry={entry} />
    </>
  );
}

function Size({ size: { added, removed } }: { size: ChangeSize }) {
  return (
    <span className="shrink-0 font-mono text-xs tabular-nums">
      <span aria-hidden="true">
        <span className="text-success">{`+${added}`}</span> <span className="text-danger">{`−${removed}`}</span>
      </span>
      <span className="sr-only">{texts.size(added, removed)}</span>
    </span>
  );
}
