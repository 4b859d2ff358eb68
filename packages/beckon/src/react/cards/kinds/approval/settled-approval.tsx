import { describeApprovalDecision, toVisibleLine } from '../../../../presentation/index.ts';
import type { InteractionOf } from '../../../../protocol/index.ts';
import { Prose } from '../../agent-text/prose.tsx';
import { LevelBadge } from '../../risk/level-badge.tsx';
import { useRisk } from '../../risk/use-risk.ts';
import type { LoadContext } from '../parts/kind-props.ts';
import { Outcome } from '../parts/outcome.tsx';
import { texts as partTexts } from '../parts/texts.ts';
import { ApprovalDetails } from './approval-details.tsx';
import { WithFindings } from './findings-list.tsx';
import { InputChange } from './input-change.tsx';
import { texts } from './texts.ts';
import { isShortScript } from './tools.ts';

/** A tool call, the decision, and the edits to its input. */
export function SettledApproval({
  interaction,
  loadContext,
}: {
  interaction: InteractionOf<'approval'>;
  loadContext: LoadContext | undefined;
}) {
  const { request, answer } = interaction;
  const { tool, input, description } = request;
  const updated = answer?.updatedInput;
  const risk = useRisk(interaction);
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
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-medium [overflow-wrap:anywhere]">{toVisibleLine(tool, 200, 'code')}</h3>
        <LevelBadge level={risk?.level} />
      </div>
      {description !== undefined && description !== input['description'] && <Prose text={description} />}
      <WithFindings risk={risk ?? undefined} input={input} isShort={isShortScript(tool, input)}>
        <ApprovalDetails interaction={interaction} input={input} loadContext={loadContext} />
      </WithFindings>
    </div>
  );
}
