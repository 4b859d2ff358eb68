import { SegmentedControl } from '../ui/segmented-control.tsx';
import { RULE_TIMES, type RuleTime } from './rule-times.ts';
import { texts } from './texts.ts';

/** `null`: what the rule itself says. */
export interface Terms {
  time: RuleTime | null;
  mode: 'on' | 'watch';
}

/** How long a rule holds, and whether it decides or only watches. */
export function RuleTerms({
  terms,
  hasOwnEnd = false,
  onChange,
}: {
  terms: Terms;
  /** The rule names an end that is none of the choices. */
  hasOwnEnd?: boolean;
  onChange: (terms: Terms) => void;
}) {
  const times = RULE_TIMES.map((value) => ({ value: value as string, name: texts.times[value] as string }));
  const options = hasOwnEnd ? [{ value: '', name: texts.asOffered }, ...times] : times;
  return (
    <div className="space-y-1">
      <div className="flex flex-wrap items-center gap-2">
        <SegmentedControl
          label={texts.until}
          value={terms.time ?? ''}
          options={options}
          onChange={(value) => onChange({ ...terms, time: RULE_TIMES.find((time) => time === value) ?? null })}
        />
        <SegmentedControl
          label={texts.mode}
          value={terms.mode}
          options={(['on', 'watch'] as const).map((value) => ({ value, name: texts.modes[value] }))}
          onChange={(mode) => onChange({ ...terms, mode })}
        />
      </div>
      <p className="text-xs text-muted">{texts.modeHints[terms.mode]}</p>
    </div>
  );
}
