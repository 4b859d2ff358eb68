import type { KeyboardEvent, ReactNode } from 'react';
import { toVisibleLine } from '../../../../presentation/index.ts';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import type { Step } from './group-steps.ts';
import { REVIEW } from './review.ts';
import { texts } from './texts.ts';

/** The questions of one call, all at once, and the review of all answers if there is something to send. */
export function GroupTabs({
  id,
  steps,
  coming,
  shown,
  hasReview,
  onShow,
}: {
  id: string;
  steps: readonly Step[];
  /** How many questions the agent has announced but not asked yet. */
  coming: number;
  shown: string;
  hasReview: boolean;
  onShow: (to: string) => void;
}) {
  const places = [...steps.map(({ interaction }) => interaction.id), ...(hasReview ? [REVIEW] : [])];
  const move = (event: KeyboardEvent): void => {
    const to = { ArrowLeft: places.indexOf(shown) - 1, ArrowRight: places.indexOf(shown) + 1, Home: 0, End: -1 }[
      event.key
    ];
    if (to === undefined) return;
    event.preventDefault();
    const next = places.at(to >= places.length ? 0 : to) ?? shown;
    onShow(next);
    document.getElementById(toTabId(id, next))?.focus();
  };
  return (
    <div className="flex items-end gap-2 border-b border-line">
      <div
        role="tablist"
        aria-label={texts.tabs}
        tabIndex={-1}
        onKeyDown={move}
        className="-mb-px flex min-w-0 gap-1 overflow-x-auto overscroll-x-contain [scrollbar-width:thin]"
      >
        {steps.map(({ interaction, state }, place) => (
          <Tab
            key={interaction.id}
            id={id}
            place={interaction.id}
            shown={shown}
            onShow={onShow}
            label={texts.tab(
              toTabName(interaction.request.header, place),
              texts.states[state === 'settled' ? interaction.status : state],
            )}
          >
            <bdi className="truncate">{toTabName(interaction.request.header, place)}</bdi>
            {state === 'drafted' && <Icon name="check" className="size-3.5 text-accent-text" />}
            {state === 'settled' && (
              <Icon
                name={interaction.status === 'answered' ? 'check' : 'clock'}
                className={classNames('size-3.5', interaction.status === 'answered' ? 'text-success' : 'text-warning')}
              />
            )}
          </Tab>
        ))}
        {hasReview && (
          <Tab id={id} place={REVIEW} shown={shown} onShow={onShow}>
            {texts.review}
          </Tab>
        )}
      </div>
      {coming > 0 && <p className="shrink-0 px-2 py-2 text-xs text-muted">{texts.coming(coming)}</p>}
    </div>
  );
}

/** What a tab reads: the header of the question, or its number. */
export function toTabName(header: string | undefined, place: number): string {
  return toVisibleLine(header ?? '', 24) || String(place + 1);
}

export function toTabId(id: string, place: string): string {
  return `${id}-tab-${place}`;
}

function Tab({
  id,
  place,
  shown,
  onShow,
  label,
  children,
}: {
  id: string;
  place: string;
  shown: string;
  onShow: (to: string) => void;
  label?: string;
  children: ReactNode;
}) {
  const isShown = place === shown;
  return (
    <button
      type="button"
      role="tab"
      id={toTabId(id, place)}
      aria-label={label}
      aria-selected={isShown}
      aria-controls={`${id}-panel`}
      tabIndex={isShown ? 0 : -1}
      onClick={() => onShow(place)}
      className={classNames(
        'tap flex max-w-48 shrink-0 items-center justify-center gap-1.5 rounded-t-md border-b-2 px-3 py-2 text-sm font-medium whitespace-nowrap -outline-offset-2',
        isShown ? 'border-accent text-ink' : 'border-transparent text-muted hover:bg-hover hover:text-ink',
      )}
    >
      {children}
    </button>
  );
}
