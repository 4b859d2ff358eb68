import { useMemo, useState } from 'react';
import { findActions, toVisibleLine } from '../../../../presentation/index.ts';
import { Button } from '../../ui/button.tsx';
import { DecisionBar } from '../../ui/decision-bar.tsx';
import { DecisionButton } from '../../ui/decision-button.tsx';
import type { KindProps } from '../parts/kind-props.ts';
import { texts as partTexts } from '../parts/texts.ts';
import { toSender } from '../parts/to-sender.ts';
import { canDraw } from './can-draw.ts';
import { ComponentView } from './component-view.tsx';
import { texts } from './texts.ts';

const FIRST_ACTIONS = 24;

/** Components from an agent, and a button for each action. */
export function ComponentForm({ interaction, onAnswer, isSending }: KindProps<'component'>) {
  const { components } = interaction.request;
  // Drawn components have their own buttons.
  const isDrawn = useMemo(() => canDraw(components), [components]);
  const actions = useMemo(() => (isDrawn ? [] : findActions(components)), [components, isDrawn]);
  const [isAll, setAll] = useState(false);
  const send = toSender(onAnswer);
  const shown = isAll ? actions : actions.slice(0, FIRST_ACTIONS);
  return (
    <div className="space-y-4">
      <ComponentView tree={components} onAct={send} />
      {actions.length === 0 && (
        <DecisionBar
          note={!isDrawn && <p className="text-muted">{texts.noActions}</p>}
          yes={
            <DecisionButton
              look={isDrawn ? 'secondary' : 'primary'}
              isBusy={isSending}
              onClick={() => send({ action: 'click', data: null })}
            >
              {isSending ? partTexts.sending : texts.seen}
            </DecisionButton>
          }
        />
      )}
      {actions.length > 0 && (
        <div role="group" aria-label={texts.actions} className="flex flex-wrap gap-2 border-t border-line pt-3">
          {shown.map(({ label, ...answer }, index) => (
            <DecisionButton key={index} isBusy={isSending} className="max-w-full" onClick={() => send(answer)}>
              <span className="truncate">{toVisibleLine(label, 80)}</span>
            </DecisionButton>
          ))}
          {shown.length < actions.length && (
            <Button look="quiet" onClick={() => setAll(true)}>
              {partTexts.showMore(actions.length - shown.length)}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
