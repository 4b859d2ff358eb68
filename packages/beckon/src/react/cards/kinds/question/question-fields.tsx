import { type KeyboardEvent, useRef, useState } from 'react';
import { type InteractionOf, toQuestionAbilities } from '../../../../protocol/index.ts';
import { VisibleText } from '../../agent-text/visible-text.tsx';
import { Button } from '../../ui/button.tsx';
import { FieldError } from '../parts/field-error.tsx';
import { OptionCard } from '../parts/option-card.tsx';
import { TextArea } from '../parts/text-area.tsx';
import { useNumberKeys } from '../parts/use-number-keys.ts';
import { PreviewPane } from './preview-pane.tsx';
import { choose, type QuestionDraft } from './question-draft.ts';
import { QuestionText } from './question-text.tsx';
import { texts } from './texts.ts';

/** One question: its text, options, own words and notes. What is chosen is a draft of its owner. */
export function QuestionFields({
  interaction,
  id,
  draft,
  onDraft,
  onEnter,
  onPicked = () => undefined,
  isDisabled,
  isMissing,
  isAwaited = true,
}: {
  interaction: InteractionOf<'question'>;
  /** The beginning of the ids of its inputs. */
  id: string;
  draft: QuestionDraft;
  onDraft: (draft: QuestionDraft) => void;
  /** Enter in the person's own words. */
  onEnter: () => void;
  /** The only choice of the question was pressed: the person is done with it. Arrow keys only look at options. */
  onPicked?: (draft: QuestionDraft) => void;
  isDisabled: boolean;
  isMissing: boolean;
  /** Whether a press must wait until the previews are formatted. */
  isAwaited?: boolean;
}) {
  const { request } = interaction;
  const { options } = request;
  const { ownWords, notes: takesNotes } = toQuestionAbilities(request);
  const isMultiple = request.multiSelect === true;
  const area = useRef<HTMLDivElement>(null);
  const [looked, setLooked] = useState<number>();
  const [hasNotes, setHasNotes] = useState(draft.notes !== '');
  const isArrow = useRef(false);

  const pick = (place: number, isChosen: boolean, isDone: boolean): void => {
    setLooked(place);
    if (place < options.length) {
      const next = choose(draft, place, isChosen, isMultiple);
      onDraft(next);
      if (isDone && isChosen && !isMultiple) onPicked(next);
      return;
    }
    onDraft({ ...draft, isOther: isChosen, chosen: isMultiple ? draft.chosen : [] });
    // Somebody who chooses their own words wants to write them now.
    if (isChosen) requestAnimationFrame(() => document.getElementById(`${id}-words`)?.focus());
  };
  useNumberKeys(options.length === 0 ? 0 : options.length + (ownWords ? 1 : 0), (place) => {
    if (isDisabled) return;
    const isChosen = place < options.length ? draft.chosen.includes(place) : draft.isOther;
    document.getElementById(`${id}-${place}`)?.focus();
    pick(place, isMultiple ? !isChosen : true, true);
  });

  const previewed = looked ?? draft.chosen[0] ?? 0;
  const hasPreviews = options.some(({ preview }) => preview !== undefined && preview !== '');
  const error = isMissing ? `${id}-error` : undefined;
  const words = (
    <TextArea
      id={`${id}-words`}
      aria-label={options.length === 0 ? texts.answerLabel : texts.other}
      aria-describedby={error}
      aria-invalid={isMissing || undefined}
      placeholder={texts.otherPlaceholder}
      value={draft.other}
      disabled={isDisabled}
      onEnter={onEnter}
      onChange={({ currentTarget }) => onDraft({ ...draft, other: currentTarget.value })}
    />
  );
  return (
    <div
      ref={area}
      className="space-y-4"
      onPointerDownCapture={() => {
        isArrow.current = false;
      }}
      onKeyDownCapture={({ key }: KeyboardEvent) => {
        isArrow.current = key.startsWith('Arrow');
      }}
    >
      <QuestionText interaction={interaction} />
      {options.length === 0 ? (
        words
      ) : (
        <div className={hasPreviews ? 'grid items-start gap-3 @2xl:grid-cols-2' : ''}>
          <fieldset className="min-w-0">
            <legend className="mb-1.5 text-xs text-muted">
              {isMultiple ? texts.chooseSeveral(ownWords) : texts.chooseOne(ownWords)}
            </legend>
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
                  isDisabled={isDisabled}
                  describedBy={error}
                  onChoose={(isChosen) => pick(place, isChosen, !isArrow.current)}
                  onChooseAgain={() => onPicked(draft)}
                  onFocus={() => setLooked(place)}
                />
              ))}
              {ownWords && (
                <OptionCard
                  type={isMultiple ? 'checkbox' : 'radio'}
                  name={`${id}-option`}
                  inputId={`${id}-${options.length}`}
                  label={isMultiple ? texts.otherAdd : texts.other}
                  shortcut={options.length < 9 ? String(options.length + 1) : undefined}
                  isChosen={draft.isOther}
                  isDisabled={isDisabled}
                  onChoose={(isChosen) => pick(options.length, isChosen, true)}
                >
                  {draft.isOther && words}
                </OptionCard>
              )}
            </div>
          </fieldset>
          {hasPreviews && <PreviewPane options={options} place={previewed} isAwaited={isAwaited} />}
        </div>
      )}
      {takesNotes && hasNotes && (
        <label className="block space-y-1">
          <span className="text-sm font-medium">{texts.notes}</span>
          <TextArea
            value={draft.notes}
            disabled={isDisabled}
            placeholder={texts.notesPlaceholder}
            onChange={({ currentTarget }) => onDraft({ ...draft, notes: currentTarget.value })}
          />
        </label>
      )}
      {takesNotes && !hasNotes && (
        <Button
          look="quiet"
          size="small"
          className="-ml-2"
          onClick={() => {
            setHasNotes(true);
            requestAnimationFrame(() => area.current?.querySelector<HTMLElement>('label > textarea')?.focus());
          }}
        >
          {texts.addNotes}
        </Button>
      )}
      <FieldError id={`${id}-error`}>{isMissing ? texts.empty(ownWords) : undefined}</FieldError>
    </div>
  );
}

/** Leads to what is chosen, or to where something can be. */
export function focusAnswer(id: string, { request }: InteractionOf<'question'>, draft: QuestionDraft): void {
  const place = request.options.length === 0 || draft.isOther ? 'words' : (draft.chosen[0] ?? 0);
  document.getElementById(`${id}-${place}`)?.focus();
}
