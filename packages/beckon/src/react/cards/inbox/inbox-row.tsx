import { KIND_NAMES, type PendingEntry, toHeadline } from '../../../presentation/index.ts';
import { StepsBadge } from '../request/steps-badge.tsx';
import { LevelBadge } from '../risk/level-badge.tsx';
import { useRisk } from '../risk/use-risk.ts';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/icon.tsx';

/** One pending request in the list, or the questions of one call. Pressing it only opens it. */
export function InboxRow({ entry, isOpen, onOpen }: { entry: PendingEntry; isOpen: boolean; onOpen: () => void }) {
  const { interaction } = entry;
  const risk = useRisk(interaction);
  return (
    <li>
      <button
        type="button"
        aria-current={isOpen}
        onClick={onOpen}
        className={classNames(
          'tap flex w-full items-center gap-2 px-3 py-2 text-left text-sm -outline-offset-2 hover:bg-hover',
          isOpen && 'bg-selected-row',
        )}
      >
        <Icon name={interaction.kind} className="text-accent-text" />
        <span className="sr-only">{`${KIND_NAMES[interaction.kind]}: `}</span>
        <bdi className="min-w-0 flex-1 truncate">{toHeadline(interaction)}</bdi>
        <StepsBadge entry={entry} />
        <LevelBadge level={risk?.level} />
      </button>
    </li>
  );
}
