import { lazy, Suspense, useMemo } from 'react';
import type { ChartProps } from '../../components/chart.ts';
import { PendingBox } from '../problem-box.tsx';
import { toChartData } from './data.ts';
import type { BarLook } from './picture.tsx';

const ChartPicture = lazy(() => import('./picture.tsx').then(({ ChartPicture: picture }) => ({ default: picture })));

/** The props of `<Chart>`. */
export interface ChartDrawingProps extends BarLook, Pick<ChartProps, 'kind' | 'labels' | 'series' | 'title' | 'unit'> {
  /** In pixels. Without it, the height follows the width. */
  height?: number;
}

/** The picture of a chart alone, for pages that show its values elsewhere. Loaded when the first chart appears. */
export function Chart({ kind, labels, series, title, unit, ...look }: ChartDrawingProps) {
  const data = useMemo(() => toChartData({ labels, series }), [labels, series]);
  return (
    <div className="beckon">
      <Suspense fallback={<PendingBox />}>
        <ChartPicture data={data} kind={kind} title={title} unit={unit} onSelect={undefined} {...look} />
      </Suspense>
    </div>
  );
}
