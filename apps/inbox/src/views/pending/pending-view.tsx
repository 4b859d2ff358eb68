import { type PendingEntry, toAlikeKey, toAsker, toEntriesInOrder } from 'beckon/presentation';
import { type Interaction, SAMPLES_ASKED_BY } from 'beckon/protocol';
import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { toInteractionPath } from '../../interactions/links.ts';
import { useApp } from '../../live/app-context.ts';
import { usePending } from '../../live/use-pending.ts';
import { Chip } from '../../ui/chip.tsx';
import { Split } from '../../ui/split.tsx';
import { useUi } from '../../ui/ui-context.ts';
import { InteractionView } from '../interaction/interaction-view.tsx';
import { EmptyInbox, Unopened } from './empty-inbox.tsx';
import { type Levels, NO_FILTER, type PendingFilter } from './filter-pending.ts';
import { findFollowing } from './following.ts';
import { toLines, toPlaced } from './lines.ts';
import { PendingList } from './pending-list.tsx';
import { PendingPane } from './pending-pane.tsx';
import { RequestActions } from './request-actions.tsx';
import { SamplesBanner } from './samples-banner.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { texts } from './texts.ts';
import { useListPreferences } from './use-list-preferences.ts';
import { usePendingProjects } from './use-pending-projects.ts';
import { useSelection } from './use-selection.ts';

const BulkDialog = lazy(() => import('./bulk-dialog.tsx').then((module) => ({ default: module.BulkDialog })));
const SnoozeDialog = lazy(() => import('./snooze-dialog.tsx').then((module) => ({ default: module.SnoozeDialog })));

type OpenDialog = { type: 'bulk'; interactions: readonly Interaction[] } | { type: 'snooze'; ids: readonly string[] };

/** The pending list and the open request. */
export function PendingView({ id }: { id?: string | undefined }) {
  const [, navigate] = useLocation();
  const { inbox } = useApp();
  const { toasts } = useUi();
  const pending = usePending();
  const preferences = useListPreferences();
  const [filter, setFilter] = useState<PendingFilter>(NO_FILTER);
  const [isSnoozedWanted, setSnoozedWanted] = useState(false);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const { all, shown, counts, snoozes, levels } = usePendingProjects(filter, isSnoozedWanted);
  const isSnoozedShown = isSnoozedWanted && snoozes.size > 0;
  // The last snoozed request is back, so the list shows everything else again.
  if (isSnoozedWanted && !isSnoozedShown && pending.isComplete) setSnoozedWanted(false);
  const lines = useMemo(() => toLines(shown, preferences.folded), [shown, preferences.folded]);
  const placed = useMemo(() => toPlaced(shown, preferences.folded), [shown, preferences.folded]);
  const selection = useSelection(lines, () => toasts.show(texts.onlyApprovals, 'note'));
  const sampleIds = useMemo(() => [...pending.items.values()].filter(isSample).map((item) => item.id), [pending.items]);
  const opened = id === undefined ? undefined : pending.items.get(id);
  // Looking through ten thousand requests must not hold up the opening of one.
  const settledAll = useDeferredValue(all);
  const settledOpened = useDeferredValue(opened);
  const found = useMemo(
    () => findAlike(settledOpened, toEntriesInOrder(settledAll), levels),
    [settledOpened, settledAll, levels],
  );
  const alike = settledOpened?.id === id ? found : [];

  // Where the open request is, or was before it left the list.
  const lastPlace = useRef<{ index: number; session: string; project: string } | null>(null);
  useEffect(() => {
    const index = placed.findIndex(({ entry }) => entry.steps.some((step) => step.id === id));
    const found = placed[index];
    if (found !== undefined) lastPlace.current = { index, session: found.session, project: found.project };
  }, [placed, id]);

  const open = (next: string | null, hasFocus = true): void =>
    navigate(next === null ? '/' : toInteractionPath(next), { state: { focus: hasFocus } });
  const openNext = (): void => open(id === undefined ? null : findFollowing(placed, id, lastPlace.current));
  const openAfterAnswer = (): void => {
    if (id === undefined) return;
    // The list may be drawn a moment after the answer has arrived.
    const left = placed.flatMap((one) => {
      const steps = one.entry.steps.filter((step) => inbox.isPending(step.id));
      const [interaction] = steps;
      return interaction === undefined ? [] : [{ ...one, entry: { interaction, steps } }];
    });
    const call = placed.find(({ entry }) => entry.steps.some((step) => step.id === id));
    const sibling = call?.entry.steps.find((step) => step.id !== id && inbox.isPending(step.id));
    open(sibling?.id ?? findFollowing(left, id, lastPlace.current));
  };
  const hasOthers = placed.some(({ entry }) => entry.steps.some((step) => step.id !== id));
  return (
    <>
      <Split
        isOpen={id !== undefined}
        list={
          <>
            <PendingPane
              projects={all}
              levels={levels}
              counts={counts}
              isComplete={pending.isComplete}
              filter={filter}
              onFilter={setFilter}
              preferences={preferences}
              onSelectSeveral={selection.begin}
              chips={
                snoozes.size > 0 && (
                  <Chip isOn={isSnoozedShown} onChange={() => setSnoozedWanted(!isSnoozedShown)}>
                    {texts.snooze.chip(snoozes.size)}
                  </Chip>
                )
              }
              empty={<EmptyInbox />}
            >
              {sampleIds.length > 0 && <SamplesBanner ids={sampleIds} />}
              <PendingList
                lines={lines}
                levels={levels}
                count={placed.length}
                preferences={preferences}
                openId={id}
                selection={selection}
                onOpen={(next) => open(next, false)}
              />
            </PendingPane>
            {selection.isSelecting && (
              <SelectionBar
                selection={selection}
                onDecide={() => {
                  const chosen = placed
                    .map(({ entry }) => entry.interaction)
                    .filter((one) => selection.ids.has(one.id));
                  if (chosen.length > 0) setDialog({ type: 'bulk', interactions: chosen });
                }}
              />
            )}
          </>
        }
        detail={
          id === undefined ? (
            <div className="flex h-full items-center justify-center">
              <Unopened hasItems={counts.all > 0} isComplete={pending.isComplete} />
            </div>
          ) : (
            <InteractionView
              key={id}
              id={id}
              onClose={() => navigate('/')}
              onNext={hasOthers ? openNext : undefined}
              onAnswered={openAfterAnswer}
              actions={
                opened !== undefined && (
                  <RequestActions
                    alike={alike.length}
                    isSnoozed={snoozes.has(opened.id)}
                    onAlike={() => setDialog({ type: 'bulk', interactions: alike })}
                    onSnooze={() => setDialog({ type: 'snooze', ids: toStepIds(opened, toEntriesInOrder(all)) })}
                  />
                )
              }
            />
          )
        }
      />
      <Suspense>
        {dialog?.type === 'bulk' && (
          <BulkDialog
            interactions={dialog.interactions}
            onClose={() => setDialog(null)}
            onDecided={(results) => {
              selection.clear();
              if (results.some(({ interaction }) => interaction?.id === id)) openAfterAnswer();
            }}
          />
        )}
        {dialog?.type === 'snooze' && (
          <SnoozeDialog
            ids={dialog.ids}
            isSnoozed={dialog.ids.some((one) => snoozes.has(one))}
            onClose={() => setDialog(null)}
            onSnoozed={openNext}
          />
        )}
      </Suspense>
    </>
  );
}

// Asking who asks takes time, and few requests have this name.
function isSample(interaction: Interaction): boolean {
  return interaction.askedBy === SAMPLES_ASKED_BY && toAsker(interaction).isSample;
}

// The open one comes first, so nobody has to look for it. What is dangerous is decided by itself.
function findAlike(opened: Interaction | undefined, entries: readonly PendingEntry[], levels: Levels): Interaction[] {
  const key = opened === undefined ? null : toAlikeKey(opened);
  if (opened === undefined || key === null || levels.get(opened.id) === 'dangerous') return [];
  const others = entries.map(({ interaction }) => interaction).filter(({ id }) => id !== opened.id);
  return [opened, ...others.filter((item) => levels.get(item.id) !== 'dangerous' && toAlikeKey(item) === key)];
}

// The questions of one call are put aside together.
function toStepIds({ id }: Interaction, entries: readonly PendingEntry[]): string[] {
  const entry = entries.find(({ steps }) => steps.some((step) => step.id === id));
  return entry?.steps.map((step) => step.id) ?? [id];
}
