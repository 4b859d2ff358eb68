import type { ReactNode } from 'react';
import { RISK_NAMES } from '../../../presentation/index.ts';
import { classNames } from '../ui/class-names.ts';
import type { FoundWords } from './findings.ts';

/** Words that a finding is about. The list of findings says it to everyone; here it is a line and a tooltip. */
export function RiskMark({ found: { finding, isPointed }, children }: { found: FoundWords; children: ReactNode }) {
  return (
    <mark
      data-finding={finding.code}
      title={`${RISK_NAMES[finding.level]}: ${finding.sentence}`}
      className={classNames('risk-mark', `risk-${finding.level}`, isPointed && 'is-pointed')}
    >
      {children}
    </mark>
  );
}
