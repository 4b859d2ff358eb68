import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import type { PlanComment } from '../../../../protocol/index.ts';
import { useKey } from '../../keyboard/use-key.ts';
import { BlockContext, type BlockLines, type BlockParts } from '../../markdown/block-context.ts';
import { CommentCard } from './comment-card.tsx';
import { CommentEditor } from './comment-editor.tsx';
import { toQuote, toSelected } from './passages.ts';
import { texts } from './texts.ts';
import { useSelectedPassage } from './use-selected-passage.ts';

/** The comment that is being written: a new one, or the one at `index`. */
interface Writing {
  index: number | null;
  comment: PlanComment;
}

/**
 * A plan with room for comments: "+" beside each block, "Comment" beside a selection, and what was written below its
 * passage. The arrow keys move from block to block.
 */
export function CommentedPlan({
  plan,
  comments,
  isDisabled,
  onChange,
  children,
}: {
  plan: string;
  comments: readonly PlanComment[];
  isDisabled: boolean;
  onChange: (comments: PlanComment[]) => void;
  /** The plan, drawn in a way that knows `BlockContext`. */
  children: ReactNode;
}) {
  const area = useRef<HTMLDivElement>(null);
  const [writing, setWriting] = useState<Writing | null>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const selected = useSelectedPassage(area);

  const begin = ({ quote, line }: Pick<PlanComment, 'quote' | 'line'>): void => {
    if (!isDisabled) setWriting({ index: null, comment: { quote, line, comment: '' } });
  };
  const beginSelected = (): boolean => {
    if (selected === null) return false;
    begin(toSelected(plan, selected.from, selected.text));
    window.getSelection()?.removeAllRanges();
    return true;
  };
  const findButtons = (): HTMLElement[] => [...(area.current?.querySelectorAll<HTMLElement>('[data-comment]') ?? [])];
  const leave = (line: number): void => {
    setWriting(null);
    requestAnimationFrame(() =>
      findButtons()
        .find(({ dataset }) => dataset['comment'] === String(line))
        ?.focus(),
    );
  };
  useKey('+', () => {
    if (!beginSelected()) (findButtons().find(({ tabIndex }) => tabIndex === 0) ?? findButtons()[0])?.focus();
  });
  const move = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    const buttons = findButtons();
    const at = buttons.findIndex((button) => button === event.target);
    if (by === undefined || at === -1) return;
    event.preventDefault();
    buttons[Math.min(buttons.length - 1, Math.max(0, at + by))]?.focus();
  };

  const save = (text: string): void => {
    if (writing === null) return;
    const comment = { ...writing.comment, comment: text };
    onChange(
      writing.index === null
        ? [...comments, comment]
        : comments.map((one, at) => (at === writing.index ? comment : one)),
    );
    leave(comment.line);
  };
  const isIn = ({ from, to }: BlockLines, line: number): boolean => line >= from && line <= to;
  const parts: BlockParts = {
    beside: (lines) => (
      <button
        type="button"
        data-comment={lines.from}
        tabIndex={(focused ?? 1) === lines.from || (focused === null && lines.from === 1) ? 0 : -1}
        disabled={isDisabled}
        aria-label={texts.commentOn(lines.from)}
        onFocus={() => setFocused(lines.from)}
        onKeyDown={move}
        onClick={() => begin({ quote: toQuote(plan, lines), line: lines.from })}
        className="absolute left-1 flex size-6 items-center justify-center rounded border border-line bg-surface text-sm leading-none text-muted opacity-40 hover:opacity-100 focus-visible:opacity-100 pointer-coarse:left-0 pointer-coarse:size-8"
      >
        +
      </button>
    ),
    below: (lines) => {
      const here = comments.flatMap((comment, index) => (isIn(lines, comment.line) ? [{ comment, index }] : []));
      const isHere = writing !== null && isIn(lines, writing.comment.line);
      if (here.length === 0 && !isHere) return null;
      return (
        <div className="my-2 space-y-2 font-sans">
          {here.map(({ comment, index }) =>
            writing?.index === index ? null : (
              <CommentCard
                key={index}
                comment={comment}
                isDisabled={isDisabled}
                onEdit={() => setWriting({ index, comment })}
                onDelete={() => onChange(comments.filter((_, at) => at !== index))}
              />
            ),
          )}
          {isHere && (
            <CommentEditor
              key={`${writing.index} ${writing.comment.line} ${writing.comment.quote}`}
              line={writing.comment.line}
              initial={writing.comment.comment}
              onSave={save}
              onCancel={() => leave(writing.comment.line)}
            />
          )}
        </div>
      );
    },
  };

  return (
    <div
      ref={area}
      // Fingers need room between the buttons of short lines.
      className="relative py-3 pr-4 pl-9 pointer-coarse:pl-10 pointer-coarse:[&_[data-line]]:min-h-9"
    >
      <BlockContext value={parts}>{children}</BlockContext>
      {selected !== null && !isDisabled && (
        <button
          type="button"
          // A press must not clear the selection before it is read.
          onPointerDown={(event) => event.preventDefault()}
          onClick={beginSelected}
          className="tap absolute z-10 rounded-md border border-line bg-raised px-2.5 py-1 text-xs font-medium text-accent-text shadow-pop"
          style={{ top: selected.top, left: selected.left }}
        >
          {texts.commentSelected}
        </button>
      )}
    </div>
  );
}
