import type { PlanComment } from '../../../../protocol/index.ts';
import { Prose } from '../../agent-text/prose.tsx';
import { VisibleText } from '../../agent-text/visible-text.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { texts } from './texts.ts';

/** A quote is a reminder; the passage itself is beside it. */
const QUOTE_CHARS = 200;

/** One comment on a plan. `isThere` says whether a later version still has the passage. */
export function CommentCard({
  comment,
  isThere,
  isDisabled = false,
  onEdit,
  onDelete,
}: {
  comment: PlanComment;
  isThere?: boolean | undefined;
  isDisabled?: boolean;
  onEdit?: () => void;
  onDelete?: () => void;
}) {
  const { quote, line, comment: text } = comment;
  return (
    <div className="min-w-0 rounded-md border border-line bg-accent-soft px-3 py-2 text-sm whitespace-normal">
      <div className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
        <span className="font-medium">{texts.line(line)}</span>
        {isThere !== undefined && (
          <Badge tone={isThere ? 'warning' : 'neutral'}>{isThere ? texts.stillThere : texts.gone}</Badge>
        )}
        {onEdit && onDelete && (
          <span className="-my-1 ml-auto flex">
            <Button
              size="small"
              look="quiet"
              disabled={isDisabled}
              aria-label={texts.editComment(line)}
              onClick={onEdit}
            >
              {texts.editShort}
            </Button>
            <Button
              size="small"
              look="quiet"
              disabled={isDisabled}
              aria-label={texts.deleteComment(line)}
              onClick={onDelete}
            >
              {texts.deleteShort}
            </Button>
          </span>
        )}
      </div>
      {quote !== '' && (
        <blockquote
          dir="auto"
          className="my-1 line-clamp-3 border-l-2 border-line-strong pl-2 text-xs text-muted [overflow-wrap:anywhere] whitespace-pre-line"
        >
          <VisibleText text={quote.slice(0, QUOTE_CHARS)} />
        </blockquote>
      )}
      <Prose text={text} />
    </div>
  );
}
