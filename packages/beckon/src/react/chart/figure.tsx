import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { ChartProps } from '../../components/chart.ts';
import type { PartProps } from '../events.ts';
import { texts } from '../texts.ts';
import { AxesPlot } from './axes-plot.tsx';
import { type ChartData, findPoints, type Point, toChartData } from './data.ts';
import { PiePlot } from './pie-plot.tsx';
import { formatValue } from './scale.ts';

/** A chart as a picture, with the same values as a table below it. */
export function ChartFigure(props: ChartProps & PartProps) {
  const { title, kind, labels, series, unit, selectable, onCallback } = props;
  const titleId = useId();
  const { box, width } = useWidth();
  const data = useMemo(() => toChartData({ labels, series }), [labels, series]);
  const height = kind === 'pie' ? Math.min(width, 220) : Math.min(Math.max(width * 0.5, 160), 280);
  const select = ({ label, series, value }: Point): void =>
    onCallback?.({ action: 'select', data: { label, series, value } });
  const plot = { data, width, height, unit, onSelect: selectable && onCallback ? select : undefined };
  const isEmpty = findPoints(data).length === 0;
  return (
    <figure className="beckon-chart" aria-labelledby={title === undefined ? undefined : titleId}>
      {title !== undefined && (
        <figcaption className="beckon-title" id={titleId}>
          {title}
        </figcaption>
      )}
      <div ref={box}>
        {/* What is inside a picture has no names of its own, so it is one only where nothing can be chosen. */}
        <svg
          role={plot.onSelect ? 'group' : 'img'}
          aria-label={title ?? texts.chart}
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
        >
          {!isEmpty && (kind === 'pie' ? <PiePlot {...plot} /> : <AxesPlot {...plot} kind={kind} />)}
        </svg>
      </div>
      <Legend data={data} kind={kind} unit={unit} />
      <ValueTable data={data} unit={unit} />
    </figure>
  );
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

function ValueTable({ data: { labels, series }, unit }: { data: ChartData; unit: string | undefined }) {
  return (
    <details className="beckon-values">
      <summary>{texts.showTable}</summary>
      <div className="beckon-scroll" role="region" aria-label={texts.table} tabIndex={0}>
        <table className="beckon-grid">
          <thead>
            <tr>
              <td aria-hidden="true" />
              {series.map(({ name }, of) => (
                <th key={of} scope="col" data-number>
                  {name ?? texts.value}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {labels.map((label, at) => (
              <tr key={at}>
                <th scope="row">{label}</th>
                {series.map(({ points }, of) => (
                  <td key={of} data-number>
                    {formatValue(points[at]?.value, unit)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** The width that a box has. Text in a chart keeps its size, so the chart is drawn for the width that there is. */
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
