import { toEditableJson, toToolName, toVisibleLine } from 'beckon/presentation';
import { type ReactNode, useId } from 'react';
import { Prose } from '../../agent-text/prose.tsx';
import { useKey } from '../../keyboard/use-key.ts';
import { Button } from '../../ui/button.tsx';
import { DecisionBar } from '../../ui/decision-bar.tsx';
import { DecisionButton } from '../../ui/decision-button.tsx';
import { KeyHint } from '../../ui/key-hint.tsx';
import { JsonEditor } from '../parts/json-editor.tsx';
import type { KindProps } from '../parts/kind-props.ts';
import { texts as partTexts } from '../parts/texts.ts';
import { toSender } from '../parts/to-sender.ts';
import { ApprovalDetails } from './approval-details.tsx';
import { DenyReason } from './deny-reason.tsx';
import { InputChange } from './input-change.tsx';
import { RememberChoice } from './remember-choice.tsx';
import { TextEditor } from './text-editor.tsx';
import { texts } from './texts.ts';
import { findScript } from './tools.ts';
import { useApprovalDraft } from './use-approval-draft.ts';

/** A tool call that needs permission. */
export function ApprovalForm({ interaction, onAnswer, isSending, isAnswerOnly, draftKey }: KindProps<'approval'>) {
  const { tool, input, description, suggestions = [] } = interaction.request;
  const reasonForm = useId();
  const { draft, change, clear, edit } = useApprovalDraft(draftKey, tool, input, isAnswerOnly);
  const { fields, problem, current, isEdited } = edit;
  const send = toSender(onAnswer, clear);
  const isEditing = draft.isEditing && !isAnswerOnly;
  const isRemembered = draft.isRemembered && !isEdited && !isAnswerOnly;

  const allow = (): void => {
    if (problem !== undefined) return;
    send({ decision: 'allow', ...(isEdited && { updatedInput: current }), ...(isRemembered && { remember: true }) });
  };
  const deny = (): void => {
    const reason = draft.isDenying ? draft.reason.trim() : '';
    send({ decision: 'deny', ...(reason !== '' && { message: reason }) });
  };
  const leaveEditor = (): void => change({ isEditing: false });

  const isPlain = !isSending && !isEditing && !draft.isDenying;
  useKey('y', allow, { isOn: isPlain });
  useKey('n', deny, { isOn: isPlain });
  useKey('r', () => change({ isDenying: true }), { isOn: isPlain });
  useKey('e', () => change({ isEditing: true }), { isOn: isPlain && !isAnswerOnly });
  useKey('m', () => change({ isRemembered: !draft.isRemembered }), { isOn: isPlain && !isAnswerOnly });

  return (
    <div className="space-y-4">
      <h2 className="font-medium [overflow-wrap:anywhere]">{texts.title(toTitle(tool))}</h2>
      {description !== undefined && description !== current['description'] && <Prose text={description} look="quiet" />}
      {!(isEditing && findScript(tool, input) !== null) && (
        <ApprovalDetails interaction={interaction} input={current} />
      )}
      {isEditing && fields !== null && (
        <TextEditor
          fields={fields}
          edited={draft.texts}
          isDisabled={isSending}
          onChange={(key, text) => change({ texts: { ...draft.texts, [key]: text } })}
          onLeave={leaveEditor}
        />
      )}
      {isEditing && fields === null && (
        <JsonEditor
          label={texts.editLabel}
          text={draft.edited ?? toEditableJson(input)}
          isDisabled={isSending}
          onChange={(edited) => change({ edited })}
          onLeave={leaveEditor}
        />
      )}
      {isEdited && !isEditing && (
        <section aria-label={texts.yourChange} className="overflow-clip rounded-md border border-accent">
          <InputChange tool={tool} before={input} after={current} note={texts.yourChange} />
        </section>
      )}
      {edit.isTouched && (
        <Button
          look="quiet"
          size="small"
          disabled={isSending}
          onClick={() => change({ edited: null, texts: {} })}
          className="-ml-2"
        >
          {texts.undo}
        </Button>
      )}
      {isAnswerOnly && <p className="text-xs text-muted">{partTexts.answerOnly}</p>}
      <DecisionBar
        note={
          draft.isDenying ? (
            <DenyReason
              formId={reasonForm}
              reason={draft.reason}
              isDisabled={isSending}
              onChange={(reason) => change({ reason })}
              onDeny={deny}
              onLeave={() => change({ isDenying: false })}
            />
          ) : (
            <BarNote
              note={problem !== undefined && !isEditing ? texts.fixFirst : isEdited && !isEditing ? texts.edited : null}
            >
              {draft.isRemembered && !isEditing && !isAnswerOnly && (
                <RememberChoice
                  suggestions={suggestions}
                  isRemembered={draft.isRemembered}
                  isEdited={isEdited || problem !== undefined}
                  isDisabled={isSending}
                  onChange={(remembered) => change({ isRemembered: remembered })}
                />
              )}
            </BarNote>
          )
        }
        no={
          draft.isDenying ? (
            <DecisionButton type="submit" form={reasonForm} look="danger" isBusy={isSending}>
              {isSending ? partTexts.sending : draft.reason.trim() === '' ? texts.deny : texts.denyNow}
            </DecisionButton>
          ) : (
            <DecisionButton look="danger" isBusy={isSending} aria-keyshortcuts="n" onClick={deny}>
              {texts.deny}
              <KeyHint name="n" />
            </DecisionButton>
          )
        }
        more={
          draft.isDenying || isEditing ? undefined : (
            <>
              <Button
                size="small"
                disabled={isSending}
                aria-keyshortcuts="r"
                onClick={() => change({ isDenying: true })}
              >
                {texts.denyHow}
                <KeyHint name="r" />
              </Button>
              {!isAnswerOnly && (
                <>
                  <Button
                    size="small"
                    disabled={isSending}
                    aria-keyshortcuts="e"
                    onClick={() => change({ isEditing: true })}
                  >
                    {texts.edit}
                    <KeyHint name="e" />
                  </Button>
                  <Button
                    size="small"
                    disabled={isSending}
                    aria-keyshortcuts="m"
                    aria-pressed={draft.isRemembered}
                    className="@xl:ml-auto"
                    onClick={() => change({ isRemembered: !draft.isRemembered })}
                  >
                    {texts.rememberHow}
                    <KeyHint name="m" />
                  </Button>
                </>
              )}
            </>
          )
        }
        yes={
          draft.isDenying ? (
            <Button disabled={isSending} onClick={() => change({ isDenying: false })}>
              {texts.back}
            </Button>
          ) : isEditing ? (
            <Button look="primary" disabled={problem !== undefined} onClick={leaveEditor}>
              {isEdited ? texts.review : texts.stopEditing}
            </Button>
          ) : (
            <DecisionButton
              look="primary"
              isBusy={isSending}
              disabled={problem !== undefined}
              aria-keyshortcuts="y"
              onClick={allow}
            >
              {isSending
                ? partTexts.sending
                : isEdited
                  ? texts.allowEdited
                  : isRemembered
                    ? texts.allowAlways
                    : texts.allow}
              <KeyHint name="y" />
            </DecisionButton>
          )
        }
      />
    </div>
  );
}

function BarNote({ note, children }: { note: string | null; children: ReactNode }) {
  if (note === null && !children) return null;
  return (
    <div className="space-y-1">
      {note !== null && <p className="text-sm">{note}</p>}
      {children}
    </div>
  );
}

function toTitle(tool: string): string {
  const { server, tool: name } = toToolName(tool);
  return toVisibleLine(server === undefined ? name : `${server}: ${name}`, 200, 'code');
}
