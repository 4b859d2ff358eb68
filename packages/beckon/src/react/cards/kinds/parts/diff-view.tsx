import { useMemo } from 'react';
import { compare } from '../../../../diff/index.ts';
import { toVisibleLine } from '../../../../presentation/index.ts';
import { findLanguage } from '../../highlight/find-language.ts';
import { DiffBlock } from './diff-block.tsx';
import { toBlocks } from './diff-rows.ts';
import { texts } from './texts.ts';

/** What changed between two texts. `path` names them, and says in which language they are. */
export function DiffView({
  before,
  after,
  path,
  language = findLanguage(path),
  note,
  hasNumbers = true,
}: {
  before: string;
  after: string;
  path: string;
  language?: string | null;
  note?: string | undefined;
  hasNumbers?: boolean;
}) {
  const { hunks, notes, added, removed } = useMemo(() => compare(before, after), [before, after]);
  const blocks = useMemo(() => toBlocks(hunks), [hunks]);
  if (before === after) return <p className="px-3 py-2 text-sm text-muted">{texts.diff.identical}</p>;
  return (
    <figure aria-label={texts.diff.label(toVisibleLine(path, 80, 'code'))} className="min-w-0">
      <figcaption className="flex flex-wrap gap-x-3 border-b border-line bg-canvas px-3 py-1 text-xs text-muted tabular-nums">
        {note && <span className="font-medium">{note}</span>}
        <span>{texts.diff.counts(added, removed)}</span>
        {notes.map((one) => (
          <span key={one}>{one}</span>
        ))}
      </figcaption>
      {blocks.map((block, index) => (
        <DiffBlock key={index} block={block} language={language} hasNumbers={hasNumbers} />
      ))}
    </figure>
  );
}
