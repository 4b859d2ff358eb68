import type { InteractionOf } from 'beckon/protocol';
import { Loading } from 'beckon/react/parts';
import { lazy, Suspense, useRef } from 'react';
import { loadSettledAnswer } from './lazy-parts.ts';
import { Outcome } from './outcome.tsx';

const SettledAnswer = lazy(() => loadSettledAnswer().then((module) => ({ default: module.SettledAnswer })));

/** A question of a call that has ended, in its tab. */
export function SettledStep({ interaction }: { interaction: InteractionOf<'question'> }) {
  return (
    <div className="space-y-4">
      <Outcome interaction={interaction} sending={undefined} headingRef={useRef<HTMLHeadingElement>(null)} />
      <Suspense fallback={<Loading />}>
        <SettledAnswer interaction={interaction} />
      </Suspense>
    </div>
  );
}
