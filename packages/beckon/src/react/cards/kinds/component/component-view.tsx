import { lazy, Suspense } from 'react';
import type { AnswerInput, Json } from '../../../../protocol/index.ts';
import { useAwaited } from '../../consent/use-consent.ts';
import { canDraw } from './can-draw.ts';
import { ComponentTree } from './component-tree.tsx';

const DrawnTree = lazy(() => import('./drawn-tree.tsx').then((module) => ({ default: module.DrawnTree })));

/** Components from an agent: drawn, or as text if one of them is unknown. */
export function ComponentView({ tree, onAct }: { tree: Json; onAct?: (answer: AnswerInput) => void }) {
  if (!canDraw(tree)) return <ComponentTree tree={tree} />;
  return (
    <Suspense fallback={<Undrawn tree={tree} />}>
      <DrawnTree tree={tree} onAct={onAct} />
    </Suspense>
  );
}

function Undrawn({ tree }: { tree: Json }) {
  useAwaited();
  return <ComponentTree tree={tree} />;
}
