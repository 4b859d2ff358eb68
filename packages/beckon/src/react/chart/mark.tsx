import type { KeyboardEvent, ReactNode } from 'react';
import type { Point } from './data.ts';
import { formatValue } from './scale.ts';

/** How the marks of a chart are named and selected. */
export interface MarkOptions {
  unit: string | undefined;
  /** Absent if nothing can be selected. */
  onSelect: ((point: Point) => void) | undefined;
}

/** The mark of one value, with a name. Pointer and keyboard can select it. */
export function Mark({ point, unit, onSelect, children }: MarkOptions & { point: Point; children: ReactNode }) {
  const { label, series, value } = point;
  const name = `${label}${series === undefined ? '' : `, ${series}`}: ${formatValue(value, unit)}`;
  const title = <title>{name}</title>;
  if (onSelect === undefined) {
    return (
      <g className="beckon-mark">
        {title}
        {children}
      </g>
    );
  }
  return (
    <g
      className="beckon-mark"
      role="button"
      tabIndex={0}
      aria-label={name}
      onClick={() => onSelect(point)}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        onSelect(point);
      }}
    >
      {title}
      {children}
    </g>
  );
}
