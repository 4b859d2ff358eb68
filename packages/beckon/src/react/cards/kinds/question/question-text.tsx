import { toStep } from '../../../../presentation/index.ts';
import type { InteractionOf } from '../../../../protocol/index.ts';
import { Prose } from '../../agent-text/prose.tsx';
import { VisibleText } from '../../agent-text/visible-text.tsx';

/** A question below its header. If there are several questions, the steps already show the headers. */
export function QuestionText({ interaction }: { interaction: InteractionOf<'question'> }) {
  const { header, question } = interaction.request;
  return (
    <div className="space-y-1">
      {header && toStep(interaction) === null && (
        <p dir="auto" className="text-xs font-medium text-muted [overflow-wrap:anywhere]">
          <VisibleText text={header} />
        </p>
      )}
      <Prose text={question} look="lead" />
    </div>
  );
}
