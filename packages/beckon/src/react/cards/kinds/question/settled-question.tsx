import type { InteractionOf } from '../../../../protocol/index.ts';
import { VisibleText } from '../../agent-text/visible-text.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { Outcome } from '../parts/outcome.tsx';
import { texts as partTexts } from '../parts/texts.ts';
import { QuestionText } from './question-text.tsx';
import { texts } from './texts.ts';

/** A question with its options, the chosen ones marked. */
export function SettledQuestion({ interaction }: { interaction: InteractionOf<'question'> }) {
  const { request, answer } = interaction;
  const selected = answer?.selected ?? [];
  return (
    <div className="space-y-4">
      <QuestionText interaction={interaction} />
      {request.options.length > 0 && (
        <ul className="space-y-1">
          {request.options.map(({ label, description }, place) => {
            const isChosen = selected.includes(label);
            return (
              <li
                key={place}
                className={classNames('flex items-start gap-2 text-sm', isChosen ? 'font-medium' : 'text-muted')}
              >
                <span className="mt-0.5 flex size-4 shrink-0 items-center justify-center">
                  {isChosen ? <Icon name="check" className="size-3.5 text-success" /> : '·'}
                </span>
                <span className="min-w-0 [overflow-wrap:anywhere]">
                  <VisibleText text={label} />
                  {isChosen && <span className="sr-only">{` (${texts.chosen})`}</span>}
                  {description && (
                    <span className="block text-xs font-normal text-muted">
                      <VisibleText text={description} />
                    </span>
                  )}
                </span>
              </li>
            );
          })}
        </ul>
      )}
      {answer && (
        <Outcome
          look="neutral"
          title={<VisibleText text={answer.text} />}
          remarks={[{ label: partTexts.settled.notes, text: answer.notes }]}
        />
      )}
    </div>
  );
}
