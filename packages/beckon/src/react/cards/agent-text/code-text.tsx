import { spell, toVisible } from '../../../presentation/index.ts';
import { classNames } from '../ui/class-names.ts';
import { RiskMark } from './risk-mark.tsx';
import { type Layers, type Segment, toSegments } from './segments.ts';
import { texts } from './texts.ts';

/** A line made of marks would become as many elements. */
const MOST_SEGMENTS = 2_000;

const CHANGED = {
  added: 'rounded-xs bg-added-strong underline decoration-1 underline-offset-2',
  removed: 'rounded-xs bg-removed-strong underline decoration-1 underline-offset-2',
};

/** One line of code from an agent: colored, with changed words, spaces and hidden characters marked. */
export function CodeText({ text, side, ...layers }: Layers & { text: string; side?: 'added' | 'removed' | undefined }) {
  const segments = toSegments(text, layers);
  if (segments.length > MOST_SEGMENTS) return toVisible(text, 'code');
  return segments.map((segment, index) => {
    const looks = classNames(
      segment.look !== null && `tok-${segment.look}`,
      segment.isChanged && side !== undefined && CHANGED[side],
    );
    const isPlain = looks === '' && segment.mark === null;
    const shown = isPlain ? (
      segment.text
    ) : (
      <span key={index} className={looks}>
        <Marked segment={segment} />
      </span>
    );
    if (segment.found === null) return shown;
    return (
      <RiskMark key={index} found={segment.found}>
        {shown}
      </RiskMark>
    );
  });
}

function Marked({ segment: { text, mark } }: { segment: Segment }) {
  // The mark is drawn over the character, so what is copied is the text itself.
  if (mark === 'tab') return <span className="mark-tab">{text}</span>;
  if (mark === 'space') return <span className="mark-space">{text}</span>;
  if (mark === null) return text;
  return (
    <span
      title={mark.reason === 'hidden' ? texts.hidden(mark.code) : texts.twin(mark.code)}
      className="mx-px rounded-xs bg-warning-soft px-0.5 font-mono text-[0.8em] text-warning no-underline"
    >
      {spell(mark)}
    </span>
  );
}
