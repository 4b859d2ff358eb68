import { useState } from 'react';
import type { PlanComment } from '../../../../protocol/index.ts';
import { HiddenWarning } from '../../agent-text/hidden-warning.tsx';
import { PlainText } from '../../agent-text/plain-text.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Diff } from '../parts/diff.tsx';
import { TextArea } from '../parts/text-area.tsx';
import { CommentCard } from './comment-card.tsx';
import { CommentedPlan } from './commented-plan.tsx';
import { toLines } from './passages.ts';
import { isEditOf, toEditable } from './plan-edit.ts';
import type { PlanVersion } from './plan-versions.ts';
import { SourceLines } from './source-lines.tsx';
import { texts } from './texts.ts';
import { VersionRemarks, VersionView } from './version-view.tsx';

/** A longer plan is shown as one text, without room for comments. */
const MOST_LINES = 2_000;
const MOST_CHARS = 100_000;
/** So many earlier versions can be opened; older ones are in the history. */
const MOST_VERSIONS = 5;

export interface PlanPaneProps {
  original: string;
  edited: string | null;
  comments: readonly PlanComment[];
  /** The earlier plans of the session, oldest first. */
  earlier: readonly PlanVersion[];
  /** Which view is open at first: `changed` if there is an earlier version. */
  start?: 'read' | 'changed';
  isDisabled?: boolean;
  /** Without it, the plan cannot be edited. */
  onEdit?: (plan: string) => void;
  /** Without it, comments are shown, but cannot be changed. */
  onComments?: (comments: PlanComment[]) => void;
}

/** The plan: formatted, as written, in an editor, as a diff of the edits or to the version before; older versions. */
export function PlanPane(props: PlanPaneProps) {
  const { original, edited, earlier, onEdit, start = 'read' } = props;
  const [wanted, setView] = useState<string | null>(null);
  const plan = edited ?? original;
  const isEdited = isEditOf(original, edited);
  const before = earlier.at(-1);
  const views: { view: string; name: string }[] = [
    { view: 'read', name: texts.read },
    ...(before === undefined ? [] : [{ view: 'changed', name: texts.since(before.number) }]),
    ...earlier.slice(-MOST_VERSIONS).map(({ number }) => ({ view: `v${number}`, name: texts.version(number) })),
    { view: 'source', name: texts.source },
    ...(onEdit === undefined ? [] : [{ view: 'edit', name: texts.edit }]),
    ...(isEdited ? [{ view: 'edits', name: onEdit === undefined ? texts.pastChanges : texts.changes }] : []),
  ];
  const view = [wanted, before === undefined ? 'read' : start].find((one) => views.some((has) => has.view === one));
  return (
    <div className="min-w-0 space-y-3">
      <HiddenWarning text={plan} place="prose" />
      <div className="min-w-0 rounded-md border border-line bg-surface">
        <div
          role="group"
          aria-label={texts.views}
          className="flex flex-wrap gap-0.5 rounded-t-md border-b border-line bg-canvas p-1"
        >
          {views.map(({ view: one, name }) => (
            <button
              key={one}
              type="button"
              data-view={one}
              aria-pressed={view === one}
              onClick={() => setView(one)}
              className={classNames(
                'tap rounded px-2.5 py-1 text-xs font-medium',
                view === one ? 'bg-surface text-ink shadow-xs ring-1 ring-line' : 'text-muted hover:text-ink',
              )}
            >
              {name}
            </button>
          ))}
        </div>
        <View {...props} view={view ?? 'read'} plan={plan} isEdited={isEdited} before={before} />
      </div>
    </div>
  );
}

function View({
  view,
  plan,
  isEdited,
  before,
  original,
  earlier,
  comments,
  isDisabled = false,
  onEdit,
  onComments,
}: PlanPaneProps & { view: string; plan: string; isEdited: boolean; before: PlanVersion | undefined }) {
  // A comment is about the plan that the agent wrote, so one that was edited has no room for them.
  const canComment = onComments !== undefined && !isEdited;
  if (view === 'read') {
    if (plan.trim() === '') return <p className="px-4 py-3 text-sm text-muted">{texts.empty}</p>;
    return canComment ? (
      <CommentedPlan plan={original} comments={comments} isDisabled={isDisabled} onChange={onComments}>
        <Markdown text={plan} />
      </CommentedPlan>
    ) : (
      <div className="space-y-3 px-4 py-3">
        <Markdown text={plan} />
        {comments.map((comment, index) => (
          <CommentCard key={index} comment={comment} />
        ))}
      </div>
    );
  }
  if (view === 'source') {
    return canComment && plan.length <= MOST_CHARS && toLines(plan).length <= MOST_LINES ? (
      <CommentedPlan plan={original} comments={comments} isDisabled={isDisabled} onChange={onComments}>
        <SourceLines plan={plan} />
      </CommentedPlan>
    ) : (
      <div className="px-4 py-3">
        <PlainText text={plan} place="prose" />
      </div>
    );
  }
  if (view === 'edit' && onEdit !== undefined) {
    return (
      <TextArea
        dir="auto"
        aria-label={texts.editLabel}
        value={plan}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onEdit(currentTarget.value)}
        className="max-h-[70vh] min-h-60 rounded-t-none border-0 font-mono text-xs leading-5"
      />
    );
  }
  if (view === 'changed' && before !== undefined) {
    return (
      <>
        <div className="space-y-2 px-4 py-3">
          <VersionRemarks version={before} plan={original} />
        </div>
        <Diff
          before={toEditable(before.interaction.request.plan)}
          after={toEditable(original)}
          path={texts.read}
          hasNumbers
        />
      </>
    );
  }
  const version = earlier.find(({ number }) => view === `v${number}`);
  if (version !== undefined) return <VersionView version={version} plan={original} />;
  return <Diff before={toEditable(original)} after={toEditable(plan)} path={texts.read} hasNumbers />;
}
