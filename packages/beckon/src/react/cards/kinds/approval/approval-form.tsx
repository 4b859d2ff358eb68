import { useId, useState } from 'react';
import { toEditableJson, toToolName, toVisibleLine } from '../../../../presentation/index.ts';
import { type AnswerInput, toApprovalAbilities } from '../../../../protocol/index.ts';
import { Prose } from '../../agent-text/prose.tsx';
import { consent, useAwaitedAtMost, useOffer, useSeenWith } from '../../consent/use-consent.ts';
import { useKey } from '../../keyboard/use-key.ts';
import { LevelBadge } from '../../risk/level-badge.tsx';
import { useRisk } from '../../risk/use-risk.ts';
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
import { WithFindings } from './findings-list.tsx';
import { InputChange } from './input-change.tsx';
import { SecondStep } from './second-step.tsx';
import { describeSuggestion } from './suggestions.ts';
import { TextEditor } from './text-editor.tsx';
import { texts } from './texts.ts';
import { findScript, isShortScript } from './tools.ts';
import { useApprovalDraft } from './use-approval-draft.ts';

/** How long a decision waits for the risk to be known. It takes milliseconds, unless the page has just been opened. */
const RISK_MS = 2_000;

/** A tool call that needs permission. */
export function ApprovalForm({
  interaction,
  onAnswer,
  isSending,
  isAnswerOnly,
  draftKey,
  extras,
}: KindProps<'approval'>) {
  const { loadContext, renderRemember } = extras;
  const { tool, input, description, suggestions = [] } = interaction.request;
  const abilities = toApprovalAbilities(interaction.request);
  const mayEdit = !isAnswerOnly && abilities.editInput;
  const reasonForm = useId();
  const { draft, change, clear, edit } = useApprovalDraft(draftKey, tool, input, mayEdit);
  const { fields, problem, current, isEdited } = edit;
  const send = toSender(onAnswer, clear);
  const confirm = toSender((answer) => onAnswer(answer, { step: 'second' }), clear);
  const isEditing = draft.isEditing && mayEdit;
  const isDenying = draft.isDenying && abilities.denyText;
  // Somebody who is still typing cannot allow, so only the finished text is assessed.
  const risk = useRisk(interaction, isEdited && !isEditing ? current : undefined);
  const offer = useOffer(interaction.id);
  useAwaitedAtMost(risk === undefined, RISK_MS);
  useSeenWith(risk === undefined ? '' : (risk?.level ?? 'unknown'));
  // What is not known to be harmless is allowed in two steps, and is not remembered.
  const canRemember = renderRemember !== undefined && !isAnswerOnly && risk !== null && risk?.level !== 'dangerous';
  // A rule fits only the input that the agent asked about, so after an edit there is nothing to remember.
  const mayRemember = canRemember && risk !== undefined && !isEdited && problem === undefined;
  const [isRemembering, setRemembering] = useState(false);

  const isPlain = !isSending && !isEditing && !isDenying;
  const isOffered = offer !== null && isPlain;

  const answer = (): AnswerInput => ({
    decision: 'allow',
    ...(isEdited && { updatedInput: current }),
  });
  const allow = (): void => {
    if (problem === undefined && !isOffered) send(answer());
  };
  const allowAnyway = (): void => {
    if (problem === undefined) confirm(answer());
  };
  const deny = (): void => {
    const reason = isDenying ? draft.reason.trim() : '';
    send({ decision: 'deny', ...(reason !== '' && { message: reason }) });
  };
  const leaveEditor = (): void => change({ isEditing: false });

  useKey('y', allow, { isOn: isPlain });
  useKey('n', deny, { isOn: isPlain });
  useKey('r', () => change({ isDenying: true }), { isOn: isPlain && abilities.denyText });
  useKey('e', () => change({ isEditing: true }), { isOn: isPlain && mayEdit });
  useKey('m', () => setRemembering(true), { isOn: isPlain && mayRemember });

  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="font-medium [overflow-wrap:anywhere]">{texts.title(toTitle(tool))}</h2>
        <LevelBadge level={risk?.level} />
      </div>
      {description !== undefined && description !== current['description'] && <Prose text={description} look="quiet" />}
      {!(isEditing && findScript(tool, input) !== null) && (
        <WithFindings risk={risk} input={current} isShort={isShortScript(tool, current)}>
          <ApprovalDetails interaction={interaction} input={current} loadContext={loadContext} />
        </WithFindings>
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
      {isAnswerOnly && <p className="text-xs text-muted">{texts.answerOnly}</p>}
      <DecisionBar
        note={
          isDenying ? (
            <DenyReason
              formId={reasonForm}
              reason={draft.reason}
              isDisabled={isSending}
              onChange={(reason) => change({ reason })}
              onDeny={deny}
              onLeave={() => change({ isDenying: false })}
            />
          ) : isOffered ? (
            <SecondStep offer={offer} risk={risk} onConfirm={allowAnyway} onLeave={() => consent.withdraw()} />
          ) : (
            <BarNote
              note={problem !== undefined && !isEditing ? texts.fixFirst : isEdited && !isEditing ? texts.edited : null}
            />
          )
        }
        no={
          isDenying ? (
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
          isDenying || isEditing || !(abilities.denyText || mayEdit || canRemember) ? undefined : (
            <>
              {abilities.denyText && (
                <Button
                  size="small"
                  disabled={isSending}
                  aria-keyshortcuts="r"
                  onClick={() => change({ isDenying: true })}
                >
                  {texts.denyHow}
                  <KeyHint name="r" />
                </Button>
              )}
              {mayEdit && (
                <Button
                  size="small"
                  disabled={isSending}
                  aria-keyshortcuts="e"
                  onClick={() => change({ isEditing: true })}
                >
                  {texts.edit}
                  <KeyHint name="e" />
                </Button>
              )}
              {canRemember && (
                <Button
                  size="small"
                  disabled={isSending || !mayRemember}
                  aria-keyshortcuts="m"
                  aria-haspopup="dialog"
                  className="@xl:ml-auto"
                  onClick={() => setRemembering(true)}
                >
                  {texts.rememberHow}
                  <KeyHint name="m" />
                </Button>
              )}
            </>
          )
        }
        yes={
          isDenying ? (
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
              isBusy={isSending || isOffered}
              disabled={problem !== undefined}
              aria-keyshortcuts="y"
              onClick={allow}
            >
              {isSending ? partTexts.sending : isEdited ? texts.allowEdited : texts.allow}
              <KeyHint name="y" />
            </DecisionButton>
          )
        }
      />
      {isRemembering &&
        mayRemember &&
        renderRemember({
          interaction,
          ownRule: abilities.remember ? suggestions.flatMap(describeSuggestion) : [],
          isSending,
          onAnswer,
          onClose: () => setRemembering(false),
        })}
    </div>
  );
}

function BarNote({ note }: { note: string | null }) {
  return note === null ? null : <p className="text-sm">{note}</p>;
}

function toTitle(tool: string): string {
  const { server, tool: name } = toToolName(tool);
  return toVisibleLine(server === undefined ? name : `${server}: ${name}`, 200, 'code');
}
