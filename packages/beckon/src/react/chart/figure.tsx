import { useId, useMemo } from 'react';
import type { ChartProps } from '../../components/chart.ts';
import type { PartProps } from '../events.ts';
import { texts } from '../texts.ts';
import { type ChartData, type Point, toChartData } from './data.ts';
import { ChartPicture } from './picture.tsx';
import { formatValue } from './scale.ts';

/** A chart as a picture, with the same values in a table below. */
export function ChartFigure(props: ChartProps & PartProps) {
  const { title, kind, labels, series, unit, selectable, onCallback } = props;
  const titleId = useId();
  const data = useMemo(() => toChartData({ labels, series }), [labels, series]);
  const select = ({ label, series, value }: Point): void =>
    onCallback?.({ action: 'select', data: { label, series, value } });
  return (
    <figure className="beckon-chart" aria-labelledby={title === undefined ? undefined : titleId}>
      {title !== undefined && (
        <figcaption className="beckon-title" id={titleId}>
          {title}
        </figcaption>
      )}
      <ChartPicture
        data={data}
        kind={kind}
        title={title}
        unit={unit}
        onSelect={selectable && onCallback ? select : undefined}
      />
      <ValueTable data={data} unit={unit} />
    </figure>
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
