import type { AnswerInput, Json } from 'beckon/protocol';
import { lazy, Suspense } from 'react';
import { isObject } from '../parts/json-text.ts';
import { ComponentTree } from './component-tree.tsx';

const DrawnTree = lazy(() => import('./drawn-tree.tsx').then((module) => ({ default: module.DrawnTree })));

/** The components that can be drawn. */
const DRAWN = new Set(
  'card table timeline accordion tabs markdown image embed citation suggestions form chart'.split(' '),
);

/** What an agent shows: drawn, or as text where it is made of something that nobody here knows. */
export function ComponentView({ tree, onAct }: { tree: Json; onAct?: (answer: AnswerInput) => void }) {
  if (!canDraw(tree)) return <ComponentTree tree={tree} />;
  return (
    <Suspense fallback={<ComponentTree tree={tree} />}>
      <DrawnTree tree={tree} onAct={onAct} />
    </Suspense>
  );
}

/** Whether everything on the first levels is a component that can be drawn. */
export function canDraw(tree: Json, level = 0): boolean {
  if (Array.isArray(tree)) return level < 8 && tree.length <= 500 && tree.every((child) => canDraw(child, level + 1));
  return isObject(tree) && typeof tree['type'] === 'string' && Object.hasOwn(tree, 'type') && DRAWN.has(tree['type']);
}
