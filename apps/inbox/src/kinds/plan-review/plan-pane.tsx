import { useState } from 'react';
import { HiddenWarning } from '../../agent-text/hidden-warning.tsx';
import { PlainText } from '../../agent-text/plain-text.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Diff } from '../parts/diff.tsx';
import { TextArea } from '../parts/text-area.tsx';
import { isEditOf, toEditable } from './plan-edit.ts';
import { texts } from './texts.ts';

const VIEWS = ['read', 'source', 'edit', 'changes'] as const;
type View = (typeof VIEWS)[number];

/** The plan: formatted, as written, in an editor, or as a diff of the edits. Without `onEdit` it is read-only. */
export function PlanPane({
  original,
  edited,
  isDisabled = false,
  onEdit,
}: {
  original: string;
  edited: string | null;
  isDisabled?: boolean;
  onEdit?: (plan: string) => void;
}) {
  const [wanted, setView] = useState<View>('read');
  const plan = edited ?? original;
  const isEdited = isEditOf(original, edited);
  const views = VIEWS.filter((view) => (view === 'edit' ? onEdit !== undefined : view !== 'changes' || isEdited));
  const view = views.includes(wanted) ? wanted : 'read';
  return (
    <div className="min-w-0 space-y-3">
      <HiddenWarning text={plan} place="prose" />
      <div className="min-w-0 rounded-md border border-line bg-surface">
        <div
          role="group"
          aria-label={texts.views}
          className="flex flex-wrap gap-0.5 rounded-t-md border-b border-line bg-canvas p-1"
        >
          {views.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={view === name}
              onClick={() => setView(name)}
              className={classNames(
                'tap rounded px-2.5 py-1 text-xs font-medium',
                view === name ? 'bg-surface text-ink shadow-xs ring-1 ring-line' : 'text-muted hover:text-ink',
              )}
            >
              {name === 'changes' && onEdit === undefined ? texts.pastChanges : texts[name]}
            </button>
          ))}
        </div>
        {view === 'read' && (
          <div className="px-4 py-3">
            {plan.trim() === '' ? <p className="text-sm text-muted">{texts.empty}</p> : <Markdown text={plan} />}
          </div>
        )}
        {view === 'source' && (
          <div className="px-4 py-3">
            <PlainText text={plan} place="prose" />
          </div>
        )}
        {view === 'edit' && onEdit !== undefined && (
          <TextArea
            dir="auto"
            aria-label={texts.editLabel}
            value={plan}
            disabled={isDisabled}
            onChange={({ currentTarget }) => onEdit(currentTarget.value)}
            className="max-h-[70vh] min-h-60 rounded-t-none border-0 font-mono text-xs leading-5"
          />
        )}
        {view === 'changes' && (
          <Diff before={toEditable(original)} after={toEditable(plan)} path={texts.read} hasNumbers />
        )}
      </div>
    </div>
  );
}
