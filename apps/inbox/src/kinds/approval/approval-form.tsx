import { toEditableJson, toVisibleLine } from 'beckon/presentation';
import type { JsonObject } from 'beckon/protocol';
import { type FormEvent, useId } from 'react';
import { Prose } from '../../agent-text/prose.tsx';
import { useDraft } from '../../state/use-draft.ts';
import { Button } from '../../ui/button.tsx';
import { DecisionButton } from '../../ui/decision-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { findJsonProblem, JsonEditor } from '../parts/json-editor.tsx';
import { isObject, parseJsonText } from '../parts/json-text.ts';
import type { KindProps } from '../parts/kind-props.ts';
import { TextArea } from '../parts/text-area.tsx';
import { texts as partTexts } from '../parts/texts.ts';
import { toSender } from '../parts/to-sender.ts';
import { ApprovalDetails } from './approval-details.tsx';
import { RememberChoice } from './remember-choice.tsx';
import { texts } from './texts.ts';

interface ApprovalDraft {
  /** The edited input; `null` if nobody edits it. */
  edited: string | null;
  isEditing: boolean;
  isRemembered: boolean;
  isDenying: boolean;
  reason: string;
}

const EMPTY_DRAFT: ApprovalDraft = {
  edited: null,
  isEditing: false,
  isRemembered: false,
  isDenying: false,
  reason: '',
};

/** A tool call that needs permission. No shortcut allows it: somebody has to press the button. */
export function ApprovalForm({ interaction, onAnswer, isSending, isAnswerOnly, draftKey }: KindProps<'approval'>) {
  const { tool, input, description, suggestions = [] } = interaction.request;
  const id = useId();
  const [draft, setDraft, clearDraft] = useDraft(draftKey, EMPTY_DRAFT, fitsApproval);
  const send = toSender(onAnswer, clearDraft);
  const change = (changes: Partial<ApprovalDraft>): void => setDraft({ ...draft, ...changes });

  const edited = isAnswerOnly ? null : draft.edited;
  const problem = edited === null ? undefined : findJsonProblem(edited);
  const current = toInput(edited) ?? input;
  const isEdited = JSON.stringify(current) !== JSON.stringify(input);

  const allow = (): void => {
    if (problem !== undefined) return;
    send({
      decision: 'allow',
      ...(isEdited && { updatedInput: current }),
      ...(draft.isRemembered && !isEdited && !isAnswerOnly && { remember: true }),
    });
  };
  const deny = (event?: FormEvent): void => {
    event?.preventDefault();
    const reason = draft.isDenying ? draft.reason.trim() : '';
    send({ decision: 'deny', ...(reason !== '' && { message: reason }) });
  };

  return (
    <div className="space-y-4">
      <h2 className="font-medium [overflow-wrap:anywhere]">{texts.title(toVisibleLine(tool, 200, 'code'))}</h2>
      {description !== undefined && description !== current['description'] && <Prose text={description} look="quiet" />}
      <ApprovalDetails tool={tool} input={current} />
      {isEdited && (
        <Notice
          tone="accent"
          actions={
            <Button size="small" disabled={isSending} onClick={() => change({ edited: null, isEditing: false })}>
              {texts.undo}
            </Button>
          }
        >
          {texts.edited}
        </Notice>
      )}
      {isAnswerOnly && <p className="text-xs text-muted">{partTexts.answerOnly}</p>}
      {!isAnswerOnly && draft.isEditing && (
        <div className="space-y-2">
          <JsonEditor
            label={texts.editLabel}
            text={draft.edited ?? toEditableJson(input)}
            isDisabled={isSending}
            onChange={(edited) => change({ edited })}
          />
          <div className="flex flex-wrap gap-2">
            <Button size="small" disabled={problem !== undefined} onClick={() => change({ isEditing: false })}>
              {texts.stopEditing}
            </Button>
            {draft.edited !== null && !isEdited && (
              <Button look="quiet" size="small" onClick={() => change({ edited: null, isEditing: false })}>
                {texts.undo}
              </Button>
            )}
          </div>
        </div>
      )}
      {!isAnswerOnly && !draft.isEditing && (
        <Button
          look="quiet"
          size="small"
          className="-ml-2"
          disabled={isSending}
          onClick={() => change({ isEditing: true })}
        >
          {texts.editInput}
        </Button>
      )}
      {draft.isDenying ? (
        <form onSubmit={deny} className="space-y-2 border-t border-line pt-3">
          <label htmlFor={`${id}-reason`} className="block text-sm font-medium">
            {texts.reason}
          </label>
          <TextArea
            id={`${id}-reason`}
            autoFocus
            value={draft.reason}
            disabled={isSending}
            aria-describedby={`${id}-hint`}
            onChange={({ currentTarget }) => change({ reason: currentTarget.value })}
          />
          <p id={`${id}-hint`} className="text-xs text-muted">
            {texts.reasonHint}
          </p>
          <div className="flex flex-wrap gap-2">
            <DecisionButton type="submit" look="danger" isBusy={isSending}>
              {isSending ? partTexts.sending : draft.reason.trim() === '' ? texts.deny : texts.denyNow}
            </DecisionButton>
            <Button look="quiet" disabled={isSending} onClick={() => change({ isDenying: false })}>
              {texts.back}
            </Button>
          </div>
        </form>
      ) : (
        <div className="space-y-3 border-t border-line pt-3">
          {!isAnswerOnly && (
            <RememberChoice
              suggestions={suggestions}
              isRemembered={draft.isRemembered}
              isEdited={isEdited || problem !== undefined}
              isDisabled={isSending}
              onChange={(isRemembered) => change({ isRemembered })}
            />
          )}
          {problem !== undefined && <p className="text-sm text-danger">{texts.fixFirst}</p>}
          <div className="flex flex-wrap gap-2">
            <DecisionButton
              look="primary"
              isBusy={isSending}
              disabled={problem !== undefined}
              className="min-w-24"
              onClick={allow}
            >
              {isSending ? partTexts.sending : isEdited ? texts.allowEdited : texts.allow}
            </DecisionButton>
            <DecisionButton look="danger" isBusy={isSending} className="min-w-24" onClick={() => deny()}>
              {texts.deny}
            </DecisionButton>
            <Button look="quiet" disabled={isSending} onClick={() => change({ isDenying: true })}>
              {texts.denyHow}
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}

function toInput(edited: string | null): JsonObject | null {
  const parsed = edited === null ? null : parseJsonText(edited);
  return parsed?.ok === true && isObject(parsed.value) ? parsed.value : null;
}

function fitsApproval(kept: unknown): kept is ApprovalDraft {
  if (typeof kept !== 'object' || kept === null) return false;
  const { edited, isEditing, isRemembered, isDenying, reason } = kept as Partial<Record<keyof ApprovalDraft, unknown>>;
  return (
    (edited === null || typeof edited === 'string') &&
    typeof reason === 'string' &&
    [isEditing, isRemembered, isDenying].every((flag) => typeof flag === 'boolean')
  );
}
