import { toVisibleLine } from 'beckon/presentation';
import type { Interaction } from 'beckon/protocol';
import { Icon } from '../../ui/icon.tsx';
import { texts } from './texts.ts';

/** The answers to the other questions of the same call. */
export function EarlierAnswers({ currentId, group }: { currentId: string; group: readonly Interaction[] }) {
  const answered = group.filter((one) => one.kind === 'question' && one.id !== currentId && one.status === 'answered');
  if (answered.length === 0) return null;
  return (
    <ul aria-label={texts.earlier} className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {answered.map(
        (one) =>
          one.kind === 'question' && (
            <li key={one.id} className="flex max-w-full min-w-0 items-center gap-1.5">
              <Icon name="check" className="size-3 text-success" />
              <span className="truncate">
                {`${toVisibleLine(one.request.header || one.request.question, 40)}: `}
                <span className="text-ink">{toVisibleLine(one.answer?.text ?? '', 60)}</span>
              </span>
            </li>
          ),
      )}
    </ul>
  );
}
