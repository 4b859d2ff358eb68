import { KIND_NAMES, type PendingProject, RISK_NAMES, RISK_SIGNS, toVisibleLine } from 'beckon/presentation';
import { type ReactNode, useMemo } from 'react';
import { Chip } from '../../ui/chip.tsx';
import { countFacets } from './facets.ts';
import type { Levels, PendingFilter } from './filter-pending.ts';
import { texts } from './texts.ts';

/** Chips that narrow the list down, each with how many requests it shows. */
export function PendingFilters({
  projects,
  levels,
  filter,
  onChange,
}: {
  projects: readonly PendingProject[];
  levels: Levels;
  filter: PendingFilter;
  onChange: (filter: PendingFilter) => void;
}) {
  const facets = useMemo(() => countFacets(projects, levels), [projects, levels]);
  return (
    <div className="max-h-48 space-y-2 overflow-y-auto">
      <Chips label={texts.kinds}>
        {facets.kinds.map(({ value, count }) => (
          <Chip
            key={value}
            count={count}
            isOn={filter.kinds.has(value)}
            onChange={() => onChange({ ...filter, kinds: toggle(filter.kinds, value) })}
          >
            {KIND_NAMES[value]}
          </Chip>
        ))}
        <Chip
          count={facets.deadlines}
          isOn={filter.hasDeadline}
          onChange={() => onChange({ ...filter, hasDeadline: !filter.hasDeadline })}
        >
          {texts.withDeadline}
        </Chip>
      </Chips>
      {facets.risks.length > 0 && (
        <Chips label={texts.risks}>
          {facets.risks.map(({ value, count }) => (
            <Chip
              key={value}
              count={count}
              isOn={filter.risks.has(value)}
              onChange={() => onChange({ ...filter, risks: toggle(filter.risks, value) })}
            >
              {`${RISK_SIGNS[value]} ${RISK_NAMES[value]}`.trim()}
            </Chip>
          ))}
        </Chips>
      )}
      {(['projects', 'agents'] as const).map((name) => (
        <Chips key={name} label={texts[name]}>
          {facets[name].map(({ value, count }) => (
            <Chip
              key={value}
              count={count}
              isOn={filter[name].has(value)}
              onChange={() => onChange({ ...filter, [name]: toggle(filter[name], value) })}
            >
              {toVisibleLine(value, 40)}
            </Chip>
          ))}
        </Chips>
      ))}
    </div>
  );
}

function Chips({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={label} className="flex flex-wrap items-center gap-1">
      <span aria-hidden="true" className="w-14 text-xs text-muted">
        {label}
      </span>
      {children}
    </div>
  );
}

function toggle<Value>(values: ReadonlySet<Value>, value: Value): ReadonlySet<Value> {
  const next = new Set(values);
  if (!next.delete(value)) next.add(value);
  return next;
}
