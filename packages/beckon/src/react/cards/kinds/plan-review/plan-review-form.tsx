import { type FormEvent, useId, useRef, useState } from 'react';
import { countComments, type PlanChoice, toPlanChoices } from '../../../../presentation/index.ts';
import { type PlanComment, toPlanAbilities } from '../../../../protocol/index.ts';
import { consent, useAwaited } from '../../consent/use-consent.ts';
import { useKey } from '../../keyboard/use-key.ts';
import { useDraft } from '../../state/use-draft.ts';
import { Button } from '../../ui/button.tsx';
import { DecisionBar } from '../../ui/decision-bar.tsx';
import { DecisionButton } from '../../ui/decision-button.tsx';
import { KeyHint } from '../../ui/key-hint.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { KindProps } from '../parts/kind-props.ts';
import { TextArea } from '../parts/text-area.tsx';
import { texts as partTexts } from '../parts/texts.ts';
import { toSender } from '../parts/to-sender.ts';
import { areComments } from './passages.ts';
import { isEditOf } from './plan-edit.ts';
import { PlanPane } from './plan-pane.tsx';
import type { PlanVersion } from './plan-versions.ts';
import { texts } from './texts.ts';

interface PlanDraft {
  /** The edited plan; `null` if it is unchanged. */
  plan: string | null;
  comments: PlanComment[];
  feedback: string;
}

/** A plan to read, comment on, edit, accept or send back. */
export function PlanReviewForm({
  interaction,
  earlier,
  isLoadingEarlier,
  onAnswer,
  isSending,
  isAnswerOnly,
  draftKey,
}: KindProps<'plan_review'> & { earlier: readonly PlanVersion[]; isLoadingEarlier: boolean }) {
  const { request, awaitingFeedback } = interaction;
  const id = useId();
  const [draft, setDraft, clearDraft] = useDraft<PlanDraft>(draftKey, EMPTY, fitsPlan);
  const [isOpened, setOpened] = useState(draft.feedback !== '');
  const abilities = toPlanAbilities(interaction);
  const mayEdit = !isAnswerOnly && abilities.editPlan;
  const isAsking = abilities.feedback && (isOpened || awaitingFeedback);
  /** The accepting choice that would drop what was written. */
  const [dropping, setDropping] = useState<string | null>(null);
  const pane = useRef<HTMLDivElement>(null);
  const send = toSender(onAnswer, clearDraft);
  const edited = mayEdit ? draft.plan : null;
  const isEdited = isEditOf(request.plan, edited);
  const changed = isEdited ? { editedPlan: edited } : {};
  const feedback = abilities.feedback ? draft.feedback.trim() : '';
  const comments = abilities.feedback ? draft.comments : [];
  const hasRemarks = comments.length > 0 || feedback !== '';
  const choices = toPlanChoices(interaction);
  const [accept, ...others] = choices.filter(({ decision }) => decision !== 'adjust');
  const sendsBack = choices.find(({ decision }) => decision === 'adjust');

  const change = (next: Partial<PlanDraft>): void => {
    setDropping(null);
    setDraft({ ...draft, ...next });
  };
  const askForFeedback = (): void => {
    setOpened(true);
    requestAnimationFrame(() => document.getElementById(`${id}-feedback`)?.focus());
  };
  const choose = ({ decision }: PlanChoice): void => {
    if (hasRemarks && dropping !== decision) {
      setDropping(decision);
      // The button means something else from here on, so it has to be seen again.
      consent.showAgain();
      return;
    }
    send({ decision, ...changed });
  };
  const sendBack = (): void => {
    if (!hasRemarks && !isEdited) {
      // Without a word this is a rejection, so no agent waits for feedback.
      if (isAsking || !abilities.feedback) send({ decision: 'reject' });
      else askForFeedback();
      return;
    }
    send({
      decision: 'adjust',
      ...(feedback !== '' && { feedback }),
      ...(comments.length > 0 && { comments }),
      ...changed,
    });
  };
  useKey('y', () => accept && choose(accept), { isOn: !isSending });
  useKey('n', sendBack, { isOn: !isSending && sendsBack !== undefined });
  useKey('r', askForFeedback, { isOn: !isSending && sendsBack !== undefined && abilities.feedback });
  useKey('e', () => pane.current?.querySelector<HTMLElement>('[data-view="edit"]')?.click(), { isOn: !isSending });

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    sendBack();
  };
  const toButton = (choice: PlanChoice, look: 'primary' | 'secondary') => (
    <DecisionButton
      key={choice.decision}
      look={look}
      isBusy={isSending}
      title={choice.effect}
      onClick={() => choose(choice)}
      {...(choice === accept && { 'aria-keyshortcuts': 'y' })}
    >
      {dropping === choice.decision ? texts.acceptDropping : toAcceptLabel(choice, isEdited)}
      {choice === accept && <KeyHint name="y" />}
    </DecisionButton>
  );
  return (
    <form id={`${id}-form`} onSubmit={submit} noValidate className="@container space-y-4">
      {isLoadingEarlier && <Awaited />}
      {awaitingFeedback && (
        <Notice tone="warning" icon="chat">
          {texts.awaiting}
        </Notice>
      )}
      <div ref={pane}>
        <PlanPane
          original={request.plan}
          edited={edited}
          comments={comments}
          earlier={earlier}
          start="changed"
          isDisabled={isSending}
          {...(abilities.feedback && { onComments: (next: PlanComment[]) => change({ comments: next }) })}
          {...(mayEdit && { onEdit: (plan: string) => change({ plan }) })}
        />
      </div>
      {isAnswerOnly && <p className="text-xs text-muted">{partTexts.answerOnly}</p>}
      {isEdited && (
        <Notice
          tone="accent"
          actions={
            <Button size="small" disabled={isSending} onClick={() => change({ plan: null })}>
              {texts.undo}
            </Button>
          }
        >
          {texts.edited}
        </Notice>
      )}
      <dl className="space-y-0.5 text-xs text-muted">
        {[accept, ...others, ...(abilities.feedback ? [] : [sendsBack])].map(
          (choice) =>
            choice && (
              <div key={choice.decision}>
                <dt className="inline font-medium">{choice.label}</dt>
                <dd className="inline">{`: ${choice.effect}`}</dd>
              </div>
            ),
        )}
      </dl>
      <DecisionBar
        note={
          <div className="space-y-2">
            {dropping !== null && <p className="text-warning">{texts.dropping(describeRemarks(comments, feedback))}</p>}
            {isAsking && (
              <div className="space-y-1">
                <label htmlFor={`${id}-feedback`} className="font-medium">
                  {texts.feedback}
                </label>
                <TextArea
                  id={`${id}-feedback`}
                  form={`${id}-form`}
                  value={draft.feedback}
                  disabled={isSending}
                  aria-describedby={`${id}-hint`}
                  className="max-h-40"
                  onChange={({ currentTarget }) => change({ feedback: currentTarget.value })}
                />
                {!hasRemarks && !isEdited && (
                  <p id={`${id}-hint`} className="text-xs text-muted">
                    {texts.feedbackHint}
                  </p>
                )}
              </div>
            )}
            <div className="flex flex-wrap items-center gap-2">
              {comments.length > 0 && (
                <p className="min-w-0 flex-1 text-xs text-muted">{texts.gathered(comments.length)}</p>
              )}
              <span className="ml-auto flex flex-wrap justify-end gap-2 max-sm:flex-1 max-sm:*:flex-1">
                {others.map((choice) => toButton(choice, 'secondary'))}
              </span>
            </div>
          </div>
        }
        no={
          sendsBack === undefined ? undefined : hasRemarks || isEdited || isAsking || !abilities.feedback ? (
            <DecisionButton
              look={hasRemarks ? 'primary' : 'danger'}
              isBusy={isSending}
              aria-keyshortcuts="n"
              onClick={sendBack}
            >
              {toSendBackLabel(comments.length, feedback !== '' || isEdited || !abilities.feedback)}
              <KeyHint name="n" />
            </DecisionButton>
          ) : (
            <Button look="danger" aria-keyshortcuts="n" onClick={sendBack}>
              {texts.sendBackHow}
              <KeyHint name="n" />
            </Button>
          )
        }
        yes={accept && toButton(accept, hasRemarks ? 'secondary' : 'primary')}
      />
    </form>
  );
}

const EMPTY: PlanDraft = { plan: null, comments: [], feedback: '' };

function Awaited() {
  useAwaited();
  return null;
}

function toAcceptLabel({ label }: PlanChoice, isEdited: boolean): string {
  return isEdited ? texts.asEdited(label) : label;
}

function toSendBackLabel(comments: number, hasMore: boolean): string {
  if (comments > 0) return texts.sendBackWith(countComments(comments));
  return hasMore ? texts.sendBack : texts.reject;
}

function describeRemarks(comments: readonly PlanComment[], feedback: string): string {
  return comments.length > 0 ? countComments(comments.length) : feedback === '' ? '' : texts.yourFeedback;
}

function fitsPlan(kept: unknown): kept is PlanDraft {
  if (typeof kept !== 'object' || kept === null) return false;
  const { plan, comments, feedback } = kept as Partial<Record<keyof PlanDraft, unknown>>;
  return (plan === null || typeof plan === 'string') && areComments(comments) && typeof feedback === 'string';
}
