import { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { Table } from './tables.ts';

/** A colour for each series, from the theme. */
const COLORS: Record<string, string> = {
  count: 'var(--accent)',
  answered: 'var(--accent)',
  expired: 'var(--plot-expired)',
  cancelled: 'var(--plot-cancelled)',
  superseded: 'var(--plot-superseded)',
  pending: 'var(--plot-pending)',
};

const TICK = { fill: 'var(--muted)', fontSize: 12 };

const NUMBERS = { tick: TICK, tickLine: false, axisLine: false, allowDecimals: false } as const;
const NAMES = { dataKey: 'name', tick: TICK, tickLine: false, axisLine: { stroke: 'var(--line)' } } as const;

/** Stacked bars: upright along a scale; lying where each has a name to be read, for which there is room at the side. */
export function Plot({ table }: { table: Table }) {
  const data = table.rows.map(({ name, counts }) => ({ name, ...counts }));
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart
        data={data}
        layout={table.isScale ? 'horizontal' : 'vertical'}
        margin={{ top: 4, right: 4, bottom: 0, left: 0 }}
        accessibilityLayer={false}
      >
        <CartesianGrid vertical={!table.isScale} horizontal={table.isScale} stroke="var(--line)" />
        {table.isScale ? (
          <>
            <XAxis {...NAMES} interval="equidistantPreserveStart" />
            <YAxis {...NUMBERS} width={32} />
          </>
        ) : (
          <>
            <XAxis {...NUMBERS} type="number" />
            <YAxis {...NAMES} type="category" width={92} interval={0} />
          </>
        )}
        <Tooltip
          cursor={{ fill: 'var(--hover)' }}
          isAnimationActive={false}
          contentStyle={{
            background: 'var(--raised)',
            border: '1px solid var(--line)',
            borderRadius: 8,
            color: 'var(--ink)',
            fontSize: 13,
          }}
          itemStyle={{ color: 'var(--ink)' }}
        />
        {table.series.some(({ key }) => key !== 'count') && (
          <Legend
            iconType="circle"
            iconSize={8}
            formatter={(name: string) => <span style={{ color: 'var(--muted)', fontSize: 12 }}>{name}</span>}
          />
        )}
        {table.series.map(({ key, name }) => (
          <Bar
            key={key}
            dataKey={key}
            name={name}
            stackId="all"
            fill={COLORS[key] ?? 'var(--accent)'}
            isAnimationActive={false}
            maxBarSize={36}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}
