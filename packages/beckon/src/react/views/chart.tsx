import { lazy, Suspense } from 'react';
import type { ChartProps } from '../../components/chart.ts';
import type { PartProps } from '../events.ts';
import { PendingBox } from '../problem-box.tsx';

const ChartFigure = lazy(() => import('../chart/figure.tsx').then(({ ChartFigure: view }) => ({ default: view })));

/** Charts are loaded when the first one appears. */
export function ChartView(props: ChartProps & PartProps) {
  return (
    <Suspense fallback={<PendingBox />}>
      <ChartFigure {...props} />
    </Suspense>
  );
}
