import { type ReactNode, useMemo, useState } from 'react';
import { toVisibleLine } from '../../../../presentation/index.ts';
import type { Finding, JsonObject, Risk } from '../../../../protocol/index.ts';
import { FindingsContext, toFoundWords } from '../../agent-text/findings.ts';
import { LevelBadge } from '../../risk/level-badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Notice } from '../../ui/notice.tsx';
import { texts } from './texts.ts';

/** Longer words are cut: the text itself is beside the list. */
const EXCERPT_CHARS = 48;
const FIRST_FINDINGS = 8;

/**
 * A request with the risky words marked, and what was found in it: under a text that is short enough to be seen with
 * it, else above. Pointing at a finding, or focusing it, shows its place; pressing it scrolls there.
 */
export function WithFindings({
  risk,
  input,
  isShort,
  children,
}: {
  /** `null`: it could not be assessed. */
  risk: Risk | null | undefined;
  input: JsonObject;
  /** The request itself is short. */
  isShort: boolean;
  children: ReactNode;
}) {
  const [pointed, setPointed] = useState<Finding | null>(null);
  const findings = risk?.findings ?? NONE;
  const shown = useMemo(() => ({ input, findings, pointed }), [input, findings, pointed]);
  const list = findings.length > 0 && <FindingsList findings={findings} input={input} onPoint={setPointed} />;
  return (
    <FindingsContext value={shown}>
      {risk === null && (
        <Notice tone="warning" icon="warning">
          {texts.risk.unknown}
        </Notice>
      )}
      {!isShort && list}
      {children}
      {isShort && list}
    </FindingsContext>
  );
}

const NONE: readonly Finding[] = [];

function FindingsList({
  findings,
  input,
  onPoint,
}: {
  findings: readonly Finding[];
  input: JsonObject;
  onPoint: (finding: Finding | null) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? findings : findings.slice(0, FIRST_FINDINGS);
  const rest = findings.length - shown.length;
  return (
    <section aria-label={texts.risk.findings} className="overflow-clip rounded-md border border-line">
      <ul className="divide-y divide-line">
        {shown.map((finding, index) => (
          <li key={index}>
            <button
              type="button"
              onMouseEnter={() => onPoint(finding)}
              onMouseLeave={() => onPoint(null)}
              onFocus={() => onPoint(finding)}
              onBlur={() => onPoint(null)}
              onClick={scrollToMark}
              className="tap flex w-full flex-wrap items-baseline gap-x-2.5 gap-y-0.5 px-3 py-1.5 text-left text-sm -outline-offset-2 hover:bg-hover"
            >
              <LevelBadge level={finding.level} />
              <span className="min-w-0 flex-1 basis-48">
                {finding.sentence} <Excerpt finding={finding} input={input} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <button
          type="button"
          onClick={() => setOpen(true)}
          className="tap w-full border-t border-line px-3 py-1.5 text-left text-sm text-accent-text hover:bg-hover"
        >
          {texts.risk.more(rest)}
        </button>
      )}
    </section>
  );
}

/** The words that a finding is about: who cannot see marks reads them here. */
function Excerpt({ finding, input }: { finding: Finding; input: JsonObject }) {
  const words = toFoundWords(finding, input);
  if (words === undefined) return null;
  return (
    <code className={classNames('risk-mark font-mono text-xs [overflow-wrap:anywhere]', `risk-${finding.level}`)}>
      {toVisibleLine(words, EXCERPT_CHARS, 'code')}
    </code>
  );
}

function scrollToMark(): void {
  document.querySelector('mark.is-pointed')?.scrollIntoView({ block: 'center' });
}
