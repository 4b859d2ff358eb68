import { toPlanChoices } from 'beckon/presentation';
import { PLAN_DECISIONS, type PlanDecision } from 'beckon/protocol';
import { type FormEvent, useId, useState } from 'react';
import { useDraft } from '../../state/use-draft.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { FieldError } from '../parts/field-error.tsx';
import type { KindProps } from '../parts/kind-props.ts';
import { OptionCard } from '../parts/option-card.tsx';
import { SubmitBar } from '../parts/submit-bar.tsx';
import { TextArea } from '../parts/text-area.tsx';
import { texts as partTexts } from '../parts/texts.ts';
import { toSender } from '../parts/to-sender.ts';
import { useEnterKey } from '../parts/use-enter-key.ts';
import { useNumberKeys } from '../parts/use-number-keys.ts';
import { isEditOf } from './plan-edit.ts';
import { PlanPane } from './plan-pane.tsx';
import { texts } from './texts.ts';

interface PlanDraft {
  /** The edited plan; `null` if it is unchanged. */
  plan: string | null;
  decision: PlanDecision | null;
  feedback: string;
}

/** A plan to read, edit, accept or send back. */
export function PlanReviewForm({ interaction, onAnswer, isSending, isAnswerOnly, draftKey }: KindProps<'plan_review'>) {
  const { request, awaitingFeedback } = interaction;
  const choices = toPlanChoices(interaction);
  const id = useId();
  const initial: PlanDraft = { plan: null, decision: awaitingFeedback ? 'adjust' : null, feedback: '' };
  const [draft, setDraft, clearDraft] = useDraft(draftKey, initial, fitsPlan);
  const [isUndecided, setUndecided] = useState(false);
  const send = toSender(onAnswer, clearDraft);
  const edited = isAnswerOnly ? null : draft.plan;
  const isEdited = isEditOf(request.plan, edited);
  const feedback = draft.feedback.trim();

  const pick = (decision: PlanDecision): void => {
    setUndecided(false);
    setDraft({ ...draft, decision });
  };
  useNumberKeys(choices.length, (place) => {
    const decision = choices[place]?.decision;
    if (decision === undefined || isSending) return;
    document.getElementById(`${id}-${decision}`)?.focus();
    pick(decision);
    // Enter would reject the plan without a word, but most people want to say why.
    if (decision === 'adjust') requestAnimationFrame(() => document.getElementById(`${id}-feedback`)?.focus());
  });
  const { decision } = draft;
  const showMissing = (): void => {
    setUndecided(decision === null);
    document.getElementById(`${id}-${decision ?? choices[0]?.decision}`)?.focus();
  };
  // If something is chosen already, Enter leads to it, and the next Enter sends it.
  useEnterKey(showMissing);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const changed = isEdited ? { editedPlan: edited } : {};
    if (decision === null) {
      showMissing();
    } else if (decision !== 'adjust') {
      send({ decision, ...changed });
    } else if (feedback !== '') {
      send({ decision, feedback, ...changed });
    } else {
      // Without feedback or edits this is a rejection, so no agent waits for feedback.
      send(isEdited ? { decision, ...changed } : { decision: 'reject' });
    }
  };

  return (
    <form id={`${id}-form`} onSubmit={submit} noValidate className="@container space-y-4">
      {awaitingFeedback && (
        <Notice tone="warning" icon="chat">
          {texts.awaiting}
        </Notice>
      )}
      <PlanPane
        original={request.plan}
        edited={edited}
        isDisabled={isSending}
        {...(!isAnswerOnly && { onEdit: (plan: string) => setDraft({ ...draft, plan }) })}
      />
      {isAnswerOnly && <p className="text-xs text-muted">{partTexts.answerOnly}</p>}
      {isEdited && (
        <Notice
          tone="accent"
          actions={
            <Button size="small" disabled={isSending} onClick={() => setDraft({ ...draft, plan: null })}>
              {texts.undo}
            </Button>
          }
        >
          {texts.edited}
        </Notice>
      )}
      <fieldset className="min-w-0">
        <legend className="mb-1.5 text-sm font-medium">{texts.decide}</legend>
        <div className="grid gap-1.5 @2xl:grid-cols-2">
          {choices.map(({ decision, label, effect }, place) => (
            <OptionCard
              key={decision}
              type="radio"
              name={`${id}-decision`}
              inputId={`${id}-${decision}`}
              label={label}
              description={effect}
              shortcut={String(place + 1)}
              isChosen={draft.decision === decision}
              isDisabled={isSending}
              describedBy={isUndecided ? `${id}-error` : undefined}
              onChoose={() => pick(decision)}
            />
          ))}
        </div>
      </fieldset>
      {draft.decision === 'adjust' && (
        <div className="space-y-1">
          <label htmlFor={`${id}-feedback`} className="text-sm font-medium">
            {texts.feedback}
          </label>
          <TextArea
            id={`${id}-feedback`}
            value={draft.feedback}
            disabled={isSending}
            aria-describedby={`${id}-hint`}
            onChange={({ currentTarget }) => setDraft({ ...draft, feedback: currentTarget.value })}
          />
          <p id={`${id}-hint`} className="text-xs text-muted">
            {texts.feedbackHint}
          </p>
        </div>
      )}
      <FieldError id={`${id}-error`}>{isUndecided ? texts.undecided : undefined}</FieldError>
      <SubmitBar
        formId={`${id}-form`}
        label={toLabel(draft.decision, isEdited, feedback !== '')}
        isSending={isSending}
      />
    </form>
  );
}

function toLabel(decision: PlanDecision | null, isEdited: boolean, hasFeedback: boolean): string {
  if (decision !== 'adjust') return isEdited ? texts.acceptEdited : texts.accept;
  return isEdited || hasFeedback ? texts.sendBack : texts.reject;
}

function fitsPlan(kept: unknown): kept is PlanDraft {
  if (typeof kept !== 'object' || kept === null) return false;
  const { plan, decision, feedback } = kept as Partial<Record<keyof PlanDraft, unknown>>;
  return (
    (plan === null || typeof plan === 'string') &&
    (decision === null || (PLAN_DECISIONS as readonly unknown[]).includes(decision)) &&
    typeof feedback === 'string'
  );
}
