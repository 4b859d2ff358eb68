import { useEffect, useRef, useState } from 'react';
import type { ChartProps } from '../../components/chart.ts';
import { texts } from '../texts.ts';
import { AxesPlot } from './axes-plot.tsx';
import { type ChartData, findPoints } from './data.ts';
import { LyingPlot } from './lying-plot.tsx';
import type { MarkOptions } from './mark.tsx';
import { PiePlot } from './pie-plot.tsx';
import { formatValue } from './scale.ts';

/** How bars are drawn beyond what agents can ask for. */
export interface BarLook {
  /** Puts the bars of a label on top of each other. Bars from left to right always are. */
  isStacked?: boolean;
  /** Draws bars from left to right, with room for whole labels. */
  isLying?: boolean;
  /** The labels form a scale, so some can be left out where there is no room. */
  isScale?: boolean;
}

/** The drawing of a chart with its legend, as wide as its box. */
export function ChartPicture({
  data,
  kind,
  title,
  height: wanted,
  isStacked = false,
  isLying = false,
  isScale = false,
  ...marks
}: BarLook &
  MarkOptions & { data: ChartData; kind: ChartProps['kind']; title: string | undefined; height?: number | undefined }) {
  const { box, width } = useWidth();
  const height = wanted ?? (kind === 'pie' ? Math.min(width, 220) : Math.min(Math.max(width * 0.5, 160), 280));
  const plot = { data, width, height, ...marks };
  return (
    <div className="beckon-plot">
      <div ref={box}>
        {/* The parts of a picture have no names of their own, so this is a picture only if nothing can be chosen. */}
        <svg
          role={marks.onSelect ? 'group' : 'img'}
          aria-label={title ?? texts.chart}
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
        >
          {findPoints(data).length > 0 && draw()}
        </svg>
      </div>
      <Legend data={data} kind={kind} unit={marks.unit} />
    </div>
  );

  function draw() {
    if (kind === 'pie') return <PiePlot {...plot} />;
    if (kind === 'bar' && isLying) return <LyingPlot {...plot} />;
    return <AxesPlot {...plot} kind={kind} isStacked={isStacked} isScale={isScale} />;
  }
}

function Legend({ data, kind, unit }: { data: ChartData; kind: ChartProps['kind']; unit: string | undefined }) {
  const isPie = kind === 'pie';
  if (!isPie && data.series.length < 2 && data.series[0]?.name === undefined) return null;
  const entries = isPie
    ? (data.series[0]?.points ?? []).flatMap((point) =>
        point === null ? [] : [{ of: point.at, text: `${point.label}: ${formatValue(point.value, unit)}` }],
      )
    : data.series.map(({ name }, of) => ({ of, text: name ?? String(of + 1) }));
  return (
    <ul className="beckon-legend" aria-hidden="true">
      {entries.map(({ of, text }) => (
        <li key={of} data-series={(of % 6) + 1}>
          {text}
        </li>
      ))}
    </ul>
  );
}

/** The width of a box. Text in a chart keeps its size, so the chart is drawn for the width that there is. */
function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(480);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(Math.max(Math.floor(element.clientWidth), 160)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { box, width };
}
