import { type FormEvent, useId, useState } from 'react';
import { useDraft } from '../../state/use-draft.ts';
import type { KindProps } from '../parts/kind-props.ts';
import { SubmitBar } from '../parts/submit-bar.tsx';
import { toSender } from '../parts/to-sender.ts';
import { useEnterKey } from '../parts/use-enter-key.ts';
import { EMPTY_DRAFT, fitsQuestion, type QuestionDraft, toAnswer } from './question-draft.ts';
import { focusAnswer, QuestionFields } from './question-fields.tsx';
import { texts } from './texts.ts';

/** A question that stands alone. */
export function QuestionForm({ interaction, onAnswer, isSending, draftKey }: KindProps<'question'>) {
  const { request } = interaction;
  const id = useId();
  const [draft, setDraft, clearDraft] = useDraft(draftKey, EMPTY_DRAFT, (kept) => fitsQuestion(request, kept));
  const [isMissing, setMissing] = useState(false);
  const send = toSender(onAnswer, clearDraft);
  const answer = toAnswer(request, draft);
  const change = (next: QuestionDraft): void => {
    setMissing(false);
    setDraft(next);
  };
  const showMissing = (): void => {
    setMissing(answer === null);
    focusAnswer(id, interaction, draft);
  };
  // If something is chosen already, Enter leads to it, and the next Enter sends it.
  useEnterKey(showMissing);
  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    if (answer === null) showMissing();
    else send(answer);
  };
  return (
    <form id={`${id}-form`} onSubmit={submit} noValidate className="@container space-y-4">
      <QuestionFields
        interaction={interaction}
        id={id}
        draft={draft}
        onDraft={change}
        onEnter={submit}
        isDisabled={isSending}
        isMissing={isMissing}
      />
      <SubmitBar formId={`${id}-form`} label={texts.answer} isSending={isSending} />
    </form>
  );
}
