import type { Interaction } from 'beckon/protocol';
import { type FormEvent, useId, useRef, useState } from 'react';
import { VisibleText } from '../../agent-text/visible-text.tsx';
import { useDraft } from '../../state/use-draft.ts';
import { Button } from '../../ui/button.tsx';
import { FieldError } from '../parts/field-error.tsx';
import type { KindProps } from '../parts/kind-props.ts';
import { OptionCard } from '../parts/option-card.tsx';
import { SubmitRow } from '../parts/submit-row.tsx';
import { TextArea } from '../parts/text-area.tsx';
import { toSender } from '../parts/to-sender.ts';
import { useEnterKey } from '../parts/use-enter-key.ts';
import { useNumberKeys } from '../parts/use-number-keys.ts';
import { EarlierAnswers } from './earlier-answers.tsx';
import { PreviewPane } from './preview-pane.tsx';
import { choose, EMPTY_DRAFT, fitsQuestion, toAnswer } from './question-draft.ts';
import { QuestionText } from './question-text.tsx';
import { texts } from './texts.ts';

/** A question: options, own words, notes. */
export function QuestionForm({
  interaction,
  group,
  onAnswer,
  isSending,
  draftKey,
}: KindProps<'question'> & { group: readonly Interaction[] }) {
  const { request } = interaction;
  const { options } = request;
  const isMultiple = request.multiSelect === true;
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft, clearDraft] = useDraft(draftKey, EMPTY_DRAFT, (kept) => fitsQuestion(request, kept));
  const [isEmpty, setEmpty] = useState(false);
  const [looked, setLooked] = useState<number>();
  const [hasNotes, setHasNotes] = useState(draft.notes !== '');
  const send = toSender(onAnswer, clearDraft);

  const toInput = (place: number): HTMLElement | null => document.getElementById(`${id}-${place}`);
  const pick = (place: number, isChosen: boolean): void => {
    setEmpty(false);
    setLooked(place);
    if (place < options.length) {
      setDraft(choose(draft, place, isChosen, isMultiple));
      return;
    }
    setDraft({ ...draft, isOther: isChosen, chosen: isMultiple ? draft.chosen : [] });
    // Somebody who chooses their own words wants to write them now.
    if (isChosen) requestAnimationFrame(() => document.getElementById(`${id}-words`)?.focus());
  };
  useNumberKeys(options.length === 0 ? 0 : options.length + 1, (place) => {
    if (isSending) return;
    const isChosen = place < options.length ? draft.chosen.includes(place) : draft.isOther;
    toInput(place)?.focus();
    pick(place, isMultiple ? !isChosen : true);
  });

  const answer = toAnswer(request, draft);
  const showMissing = (): void => {
    setEmpty(answer === null);
    const place = options.length === 0 || draft.isOther ? 'words' : (draft.chosen[0] ?? 0);
    document.getElementById(`${id}-${place}`)?.focus();
  };
  // If something is chosen already, Enter leads to it, and the next Enter sends it.
  useEnterKey(showMissing);
  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    if (answer === null) showMissing();
    else send(answer);
  };

  const previewed = looked ?? draft.chosen[0] ?? 0;
  const hasPreviews = options.some(({ preview }) => preview !== undefined && preview !== '');
  const words = (
    <TextArea
      id={`${id}-words`}
      aria-label={options.length === 0 ? texts.answerLabel : texts.other}
      aria-describedby={isEmpty ? `${id}-error` : undefined}
      aria-invalid={isEmpty || undefined}
      placeholder={texts.otherPlaceholder}
      value={draft.other}
      disabled={isSending}
      onEnter={submit}
      onChange={({ currentTarget }) => {
        setEmpty(false);
        setDraft({ ...draft, other: currentTarget.value });
      }}
    />
  );

  return (
    <form ref={form} onSubmit={submit} noValidate className="@container space-y-4">
      <EarlierAnswers currentId={interaction.id} group={group} />
      <QuestionText interaction={interaction} />
      {options.length === 0 ? (
        words
      ) : (
        <div className={hasPreviews ? 'grid items-start gap-3 @2xl:grid-cols-2' : ''}>
          <fieldset className="min-w-0">
            <legend className="mb-1.5 text-xs text-muted">{isMultiple ? texts.chooseSeveral : texts.chooseOne}</legend>
            <div className="space-y-1.5">
              {options.map(({ label, description }, place) => (
                <OptionCard
                  key={place}
                  type={isMultiple ? 'checkbox' : 'radio'}
                  name={`${id}-option`}
                  inputId={`${id}-${place}`}
                  label={<VisibleText text={label} />}
                  description={description && <VisibleText text={description} />}
                  shortcut={place < 9 ? String(place + 1) : undefined}
                  isChosen={draft.chosen.includes(place)}
                  isDisabled={isSending}
                  describedBy={isEmpty ? `${id}-error` : undefined}
                  onChoose={(isChosen) => pick(place, isChosen)}
                  onFocus={() => setLooked(place)}
                />
              ))}
              <OptionCard
                type={isMultiple ? 'checkbox' : 'radio'}
                name={`${id}-option`}
                inputId={`${id}-${options.length}`}
                label={isMultiple ? texts.otherAdd : texts.other}
                shortcut={options.length < 9 ? String(options.length + 1) : undefined}
                isChosen={draft.isOther}
                isDisabled={isSending}
                onChoose={(isChosen) => pick(options.length, isChosen)}
              >
                {draft.isOther && words}
              </OptionCard>
            </div>
          </fieldset>
          {hasPreviews && <PreviewPane option={options[previewed]} />}
        </div>
      )}
      {hasNotes ? (
        <label className="block space-y-1">
          <span className="text-sm font-medium">{texts.notes}</span>
          <TextArea
            value={draft.notes}
            disabled={isSending}
            placeholder={texts.notesPlaceholder}
            onChange={({ currentTarget }) => setDraft({ ...draft, notes: currentTarget.value })}
          />
        </label>
      ) : (
        <Button
          look="quiet"
          size="small"
          className="-ml-2"
          onClick={() => {
            setHasNotes(true);
            requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('label > textarea')?.focus());
          }}
        >
          {texts.addNotes}
        </Button>
      )}
      <FieldError id={`${id}-error`}>{isEmpty ? texts.empty : undefined}</FieldError>
      <SubmitRow
        label={texts.answer}
        isSending={isSending}
        hint={options.length === 0 || draft.isOther ? texts.freeHint : texts.hint}
      />
    </form>
  );
}
