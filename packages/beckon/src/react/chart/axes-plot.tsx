import type { ChartData, Point } from './data.ts';
import { findPoints, stack } from './data.ts';
import { Mark, type MarkOptions } from './mark.tsx';
import { formatValue, LETTER, toScale } from './scale.ts';

interface Props extends MarkOptions {
  data: ChartData;
  kind: 'bar' | 'line' | 'area';
  /** Puts the bars of a label on top of each other instead of side by side. */
  isStacked: boolean;
  /** The labels form a scale, so some can be left out. Labels that do not fit are cut otherwise. */
  isScale: boolean;
  width: number;
  height: number;
}

const [TOP, RIGHT, BOTTOM] = [10, 8, 26];
const LABEL_PX = 44;

/** Bars, lines and areas between two axes. */
export function AxesPlot({ data, kind, isStacked, isScale, width, height, unit, onSelect }: Props) {
  const { labels, series } = data;
  const stacks = stack(data);
  const values = findPoints(data).map((point) => (isStacked ? stacks(point).to : point.value));
  const scale = toScale(values);
  const tickTexts = scale.ticks.map((tick) => formatValue(tick, unit, true));
  const left = Math.min(findLongest(tickTexts) * LETTER + 10, width / 3);
  const band = Math.max(width - left - RIGHT, 1) / Math.max(labels.length, 1);
  const toX = (at: number): number => left + band * (at + 0.5);
  const toY = (value: number): number =>
    TOP + (height - TOP - BOTTOM) * (1 - (value - scale.min) / (scale.max - scale.min || 1));
  const labelPx = isScale ? Math.max(findLongest(labels) * LETTER + 4, LABEL_PX) : LABEL_PX;
  const letters = Math.max(Math.floor(Math.max(band, labelPx) / LETTER), 4);
  const every = Math.max(Math.ceil(labelPx / band), 1);
  const marks = { unit, onSelect };

  return (
    <>
      {scale.ticks.map((tick, index) => (
        <g key={tick}>
          <line
            className="beckon-axis"
            data-zero={tick === 0 || undefined}
            x1={left}
            x2={width - RIGHT}
            y1={toY(tick)}
            y2={toY(tick)}
          />
          <text x={left - 6} y={toY(tick)} dy="0.32em" textAnchor="end">
            {tickTexts[index]}
          </text>
        </g>
      ))}
      {labels.map(
        (label, at) =>
          at % every === 0 && (
            <text key={at} x={toX(at)} y={height - 8} textAnchor="middle">
              {label.length > letters ? `${label.slice(0, letters - 1)}…` : label}
            </text>
          ),
      )}
      {series.map(({ points }, of) => (
        <g key={of} data-series={(of % 6) + 1}>
          {kind === 'bar' && isStacked && (
            <Stacked points={points} band={band} stacks={stacks} toX={toX} toY={toY} {...marks} />
          )}
          {kind === 'bar' && !isStacked && (
            <Bars points={points} band={band} of={of} count={series.length} toX={toX} toY={toY} {...marks} />
          )}
          {kind !== 'bar' && <Line points={points} isFilled={kind === 'area'} toX={toX} toY={toY} {...marks} />}
        </g>
      ))}
    </>
  );
}

interface Place {
  points: readonly (Point | null)[];
  toX: (at: number) => number;
  toY: (value: number) => number;
}

function Bars({
  points,
  band,
  of,
  count,
  toX,
  toY,
  ...marks
}: Place & MarkOptions & { band: number; of: number; count: number }) {
  const group = Math.min(band * 0.72, 64 * count);
  const bar = group / count;
  return points.map(
    (point, at) =>
      point && (
        <Mark key={at} point={point} {...marks}>
          <rect
            className="beckon-fill"
            x={toX(at) - group / 2 + bar * of + Math.min(bar * 0.06, 1)}
            width={Math.max(bar - Math.min(bar * 0.12, 2), 0.5)}
            y={Math.min(toY(point.value), toY(0))}
            height={Math.max(Math.abs(toY(point.value) - toY(0)), 1)}
            rx={Math.min(bar / 6, 3)}
          />
        </Mark>
      ),
  );
}

function Stacked({
  points,
  band,
  stacks,
  toX,
  toY,
  ...marks
}: Place & MarkOptions & { band: number; stacks: ReturnType<typeof stack> }) {
  const bar = Math.min(band * 0.72, 36);
  return points.map((point, at) => {
    if (point === null || point.value === 0) return null;
    const { from, to } = stacks(point);
    return (
      <Mark key={at} point={point} {...marks}>
        <rect
          className="beckon-fill"
          x={toX(at) - bar / 2}
          width={bar}
          y={Math.min(toY(from), toY(to))}
          height={Math.abs(toY(to) - toY(from))}
        />
      </Mark>
    );
  });
}

function Line({ points, isFilled, toX, toY, ...marks }: Place & MarkOptions & { isFilled: boolean }) {
  return (
    <>
      {toRuns(points).map((run, index) => {
        const way = run.map(({ at, value }) => `${toX(at)},${toY(value)}`).join(' ');
        const [first, last] = [run[0], run.at(-1)];
        return (
          <g key={index}>
            {isFilled && first && last && (
              <polygon className="beckon-area" points={`${toX(first.at)},${toY(0)} ${way} ${toX(last.at)},${toY(0)}`} />
            )}
            <polyline className="beckon-line" points={way} />
          </g>
        );
      })}
      {points.map(
        (point, at) =>
          point && (
            <Mark key={at} point={point} {...marks}>
              <circle className="beckon-reach" cx={toX(at)} cy={toY(point.value)} r={12} />
              <circle className="beckon-fill" cx={toX(at)} cy={toY(point.value)} r={3.5} />
            </Mark>
          ),
      )}
    </>
  );
}

/** The points between the gaps: a line must not bridge missing values. */
function toRuns(points: readonly (Point | null)[]): Point[][] {
  const runs: Point[][] = [[]];
  for (const point of points) {
    if (point === null) runs.push([]);
    else runs.at(-1)?.push(point);
  }
  return runs.filter((run) => run.length > 0);
}

function findLongest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, text.length), 1);
}
