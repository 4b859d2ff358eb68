import { Chart } from 'beckon/react';
import type { CSSProperties } from 'react';
import type { Table } from './tables.ts';
import '../../ui/beckon-components.css';

/** A color for each series, from the theme. */
const COLORS: Record<string, string> = {
  count: 'var(--accent)',
  answered: 'var(--accent)',
  expired: 'var(--plot-expired)',
  cancelled: 'var(--plot-cancelled)',
  superseded: 'var(--plot-superseded)',
  pending: 'var(--plot-pending)',
};

/** Stacked bars: upright along a scale, else from left to right, with room for every name. */
export function Plot({ table }: { table: Table }) {
  const isOne = table.series.length === 1 && table.series[0]?.key === 'count';
  const series = table.series.map(({ key, name }) => ({
    ...(!isOne && { name }),
    values: table.rows.map(({ counts }) => counts[key] ?? 0),
  }));
  const colors = table.series.map(({ key }, of) => [`--beckon-chart-${of + 1}`, COLORS[key] ?? 'var(--accent)']);
  return (
    <div style={Object.fromEntries(colors) as CSSProperties}>
      <Chart
        kind="bar"
        labels={table.rows.map(({ name }) => name)}
        series={series}
        height={isOne ? 250 : 200}
        isStacked
        isLying={!table.isScale}
        isScale={table.isScale}
      />
    </div>
  );
}
