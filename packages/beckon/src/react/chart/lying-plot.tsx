import { type ChartData, findPoints, stack } from './data.ts';
import { Mark, type MarkOptions } from './mark.tsx';
import { formatValue, LETTER, toScale } from './scale.ts';

const [TOP, RIGHT, BOTTOM] = [4, 14, 24];

/** Stacked bars from left to right, each with its whole label beside it. */
export function LyingPlot({
  data,
  width,
  height,
  unit,
  onSelect,
}: MarkOptions & { data: ChartData; width: number; height: number }) {
  const { labels, series } = data;
  const stacks = stack(data);
  const scale = toScale(
    findPoints(data).map((point) => stacks(point).to),
    Math.max(Math.floor(width / 90), 2),
  );
  const longest = labels.reduce((most, label) => Math.max(most, label.length), 1);
  const left = Math.min(longest * LETTER + 10, width / 2);
  const band = (height - TOP - BOTTOM) / Math.max(labels.length, 1);
  const bar = Math.min(band * 0.64, 28);
  const toX = (value: number): number =>
    left + (width - left - RIGHT) * ((value - scale.min) / (scale.max - scale.min || 1));
  const toY = (at: number): number => TOP + band * (at + 0.5);
  return (
    <>
      {scale.ticks.map((tick) => (
        <g key={tick}>
          <line
            className="beckon-axis"
            data-zero={tick === 0 || undefined}
            x1={toX(tick)}
            x2={toX(tick)}
            y1={TOP}
            y2={height - BOTTOM}
          />
          <text x={toX(tick)} y={height - 8} textAnchor="middle">
            {formatValue(tick, unit, true)}
          </text>
        </g>
      ))}
      {labels.map((label, at) => (
        <text key={at} x={left - 8} y={toY(at)} dy="0.32em" textAnchor="end">
          {label}
        </text>
      ))}
      {series.map(({ points }, of) => (
        <g key={of} data-series={(of % 6) + 1}>
          {points.map((point, at) => {
            if (point === null || point.value === 0) return null;
            const { from, to } = stacks(point);
            return (
              <Mark key={at} point={point} unit={unit} onSelect={onSelect}>
                <rect
                  className="beckon-fill"
                  x={Math.min(toX(from), toX(to))}
                  width={Math.abs(toX(to) - toX(from))}
                  y={toY(at) - bar / 2}
                  height={bar}
                />
              </Mark>
            );
          })}
        </g>
      ))}
    </>
  );
}
