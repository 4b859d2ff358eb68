import { Button, useKey } from 'beckon/react/parts';
import { texts } from './texts.ts';
import type { Selection } from './use-selection.ts';

/** How many requests are selected, and what can be done with them. */
export function SelectionBar({ selection, onDecide }: { selection: Selection; onDecide: () => void }) {
  const count = selection.ids.size;
  const hasAny = count > 0;
  useKey('Escape', selection.clear, { isFirst: true });
  // With a selection, a decision is about all of it, and that needs to be seen first.
  useKey('y', onDecide, { isOn: hasAny, isFirst: true });
  useKey('n', onDecide, { isOn: hasAny, isFirst: true });
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 border-t border-line bg-accent-soft px-3 py-2">
      <p role="status" className="min-w-0 flex-1 text-sm font-medium tabular-nums">
        {texts.selected(count)}
      </p>
      <Button look="quiet" size="small" onClick={selection.clear}>
        {texts.unselect}
      </Button>
      <Button look="primary" size="small" disabled={!hasAny} onClick={onDecide}>
        {texts.decideSelected}
      </Button>
    </div>
  );
}
