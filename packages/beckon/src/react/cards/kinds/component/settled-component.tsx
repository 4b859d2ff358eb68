import { findActions, toVisibleLine } from '../../../../presentation/index.ts';
import type { InteractionOf } from '../../../../protocol/index.ts';
import { JsonView } from '../parts/json-view.tsx';
import { Outcome } from '../parts/outcome.tsx';
import { ComponentView } from './component-view.tsx';

/** The components that an agent showed, and the chosen action. */
export function SettledComponent({ interaction: { request, answer } }: { interaction: InteractionOf<'component'> }) {
  const chosen =
    answer &&
    findActions(request.components).find(({ action, data }) => {
      return action === answer.action && JSON.stringify(data) === JSON.stringify(answer.data);
    });
  return (
    <div className="space-y-4">
      {answer && (
        <Outcome look="neutral" title={toVisibleLine(chosen?.label ?? answer.action)}>
          {chosen === undefined && answer.data !== null && (
            <div className="border-t border-line px-3 py-2">
              <JsonView value={answer.data} />
            </div>
          )}
        </Outcome>
      )}
      <ComponentView tree={request.components} />
    </div>
  );
}
