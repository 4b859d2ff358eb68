import { describeApprovalDecision, toVisibleLine } from 'beckon/presentation';
import type { InteractionOf } from 'beckon/protocol';
import { Prose } from '../../agent-text/prose.tsx';
import { Outcome } from '../parts/outcome.tsx';
import { texts as partTexts } from '../parts/texts.ts';
import { ApprovalDetails } from './approval-details.tsx';
import { InputChange } from './input-change.tsx';
import { texts } from './texts.ts';

/** A tool call, the decision, and the edits to its input. */
export function SettledApproval({ interaction }: { interaction: InteractionOf<'approval'> }) {
  const { request, answer } = interaction;
  const { tool, input, description } = request;
  const updated = answer?.updatedInput;
  return (
    <div className="space-y-4">
      {answer && (
        <Outcome
          look={answer.decision === 'allow' ? 'good' : 'bad'}
          title={[
            updated === undefined ? describeApprovalDecision(answer.decision) : texts.pastEdited,
            answer.remember === true && texts.pastRemembered,
          ]
            .filter((part) => part !== false)
            .join(' · ')}
          remarks={[{ label: partTexts.settled.reason, text: answer.message }]}
        >
          {updated !== undefined && (
            <div className="border-t border-line">
              <InputChange tool={tool} before={input} after={updated} note={texts.pastInput} />
            </div>
          )}
        </Outcome>
      )}
      <h3 className="font-medium [overflow-wrap:anywhere]">{toVisibleLine(tool, 200, 'code')}</h3>
      {description !== undefined && description !== input['description'] && <Prose text={description} />}
      <ApprovalDetails interaction={interaction} input={input} />
    </div>
  );
}
