import { type Place, spell, splitHidden, toVisible } from '../../../presentation/index.ts';
import { CodeText } from './code-text.tsx';
import type { FindingLayer } from './findings.ts';
import { texts } from './texts.ts';

/** A text made of invisible characters would become as many elements. */
const MOST_PIECES = 2_000;

/** Text from an agent, unchanged except for marks on invisible and look-alike characters, and on what is risky. */
export function VisibleText({
  text,
  place = 'prose',
  findings,
}: {
  text: string;
  place?: Place;
  findings?: FindingLayer | undefined;
}) {
  if (findings !== undefined) return <CodeText text={text} findings={findings} />;
  const pieces = splitHidden(text, place);
  if (pieces.length > MOST_PIECES) return toVisible(text, place);
  return pieces.map((piece, index) =>
    typeof piece === 'string' ? (
      piece
    ) : (
      <span
        key={index}
        title={piece.reason === 'hidden' ? texts.hidden(piece.code) : texts.twin(piece.code)}
        className="mx-px rounded-xs bg-warning-soft px-0.5 font-mono text-[0.8em] text-warning"
      >
        {spell(piece)}
      </span>
    ),
  );
}
