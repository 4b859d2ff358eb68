import type { ChartData } from './data.ts';
import { Mark, type MarkOptions } from './mark.tsx';

/** The first series as parts of a whole. Only values above zero are parts. */
export function PiePlot({
  data,
  width,
  height,
  ...marks
}: MarkOptions & { data: ChartData; width: number; height: number }) {
  const points = (data.series[0]?.points ?? []).filter((point) => point !== null && point.value > 0);
  const total = points.reduce((sum, point) => sum + (point?.value ?? 0), 0);
  const [x, y, radius] = [width / 2, height / 2, Math.min(width, height) / 2 - 6];
  let turn = 0;
  return points.map((point) => {
    if (point === null) return null;
    const [from, to] = [turn, turn + point.value / total];
    turn = to;
    return (
      <g key={point.at} data-series={(point.at % 6) + 1}>
        <Mark point={point} {...marks}>
          {to - from > 0.999 ? (
            <circle className="beckon-slice" cx={x} cy={y} r={radius} />
          ) : (
            <path
              className="beckon-slice"
              d={`M${x},${y} L${toPoint(from)} A${radius},${radius} 0 ${to - from > 0.5 ? 1 : 0} 1 ${toPoint(to)} Z`}
            />
          )}
        </Mark>
      </g>
    );
  });

  function toPoint(at: number): string {
    const angle = at * 2 * Math.PI;
    return `${x + radius * Math.sin(angle)},${y - radius * Math.cos(angle)}`;
  }
}
