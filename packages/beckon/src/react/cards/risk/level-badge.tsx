import { RISK_NAMES, RISK_SIGNS } from '../../../presentation/index.ts';
import type { RiskLevel } from '../../../protocol/index.ts';
import { Badge } from '../ui/badge.tsx';

/** How much care is needed, as a sign and a word: a color alone says nothing to many. Nothing for what is routine. */
export function LevelBadge({ level }: { level: RiskLevel | undefined }) {
  if (level === undefined || level === 'routine') return null;
  return (
    <Badge tone={level === 'dangerous' ? 'danger' : 'warning'}>
      <span aria-hidden="true" className="risk-sign">
        {RISK_SIGNS[level]}
      </span>
      {RISK_NAMES[level]}
    </Badge>
  );
}
