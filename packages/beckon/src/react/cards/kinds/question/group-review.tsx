import { toAnswerText, toVisibleLine } from '../../../../presentation/index.ts';
import type { Answer } from '../../../../protocol/index.ts';
import { VisibleText } from '../../agent-text/visible-text.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import type { Step } from './group-steps.ts';
import { toTabName } from './group-tabs.tsx';
import { texts } from './texts.ts';

/** Every question of a call with the answer that is about to be sent. */
export function GroupReview({
  steps,
  isSending,
  onChange,
}: {
  steps: readonly Step[];
  isSending: boolean;
  onChange: (id: string) => void;
}) {
  return (
    <section aria-label={texts.reviewTitle} className="space-y-3">
      <h2 className="font-medium">{texts.reviewTitle}</h2>
      <dl className="divide-y divide-line rounded-md border border-line bg-surface">
        {steps.map((step, place) => {
          const { interaction, state } = step;
          const { header, question } = interaction.request;
          return (
            <div key={interaction.id} className="px-3 py-2.5">
              <dt className="text-xs text-muted">
                <bdi className="font-medium">{toTabName(header, place)}</bdi>
                {' · '}
                <bdi className="[overflow-wrap:anywhere]">{toVisibleLine(question, 160)}</bdi>
              </dt>
              <dd className="flex items-start gap-3 text-sm">
                <p
                  dir="auto"
                  className={classNames(
                    'min-w-0 flex-1 py-0.5 [overflow-wrap:anywhere] whitespace-pre-line',
                    state === 'open' ? 'text-warning' : 'font-medium',
                  )}
                >
                  <Said step={step} />
                </p>
                {state !== 'settled' && (
                  <Button
                    size="small"
                    look="quiet"
                    disabled={isSending}
                    aria-label={texts.change(toTabName(header, place))}
                    onClick={() => onChange(interaction.id)}
                  >
                    {state === 'open' ? texts.answerNow : texts.changeShort}
                  </Button>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

function Said({ step: { interaction, answer, state } }: { step: Step }) {
  if (state === 'open') return texts.unanswered;
  if (state === 'settled') {
    const said = interaction.answer === undefined ? '' : `: ${toVisibleLine(toAnswerText(interaction.answer), 400)}`;
    return (
      <span className="font-normal text-muted">{`${texts.already(texts.states[interaction.status])}${said}`}</span>
    );
  }
  return <VisibleText text={toSaid(answer)} />;
}

// What is sent has the form in which it is kept, except that the text of a choice is still to be made.
function toSaid(answer: Step['answer']): string {
  const {
    selected = [],
    text = selected.join(', '),
    notes,
  } = (answer ?? {}) as {
    selected?: string[];
    text?: string;
    notes?: string;
  };
  return toAnswerText({ text, ...(notes !== undefined && { notes }) } satisfies Answer);
}
