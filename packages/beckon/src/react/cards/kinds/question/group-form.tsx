import { type FormEvent, type ReactNode, use, useEffect, useId, useRef, useState } from 'react';
import type { AnswerInput, InteractionOf } from '../../../../protocol/index.ts';
import { CardContext, useInSight, useIsInert } from '../../consent/use-consent.ts';
import { useKey } from '../../keyboard/use-key.ts';
import { useDrafts } from '../../state/use-draft.ts';
import { Button } from '../../ui/button.tsx';
import { DecisionBar } from '../../ui/decision-bar.tsx';
import { DecisionButton } from '../../ui/decision-button.tsx';
import { EnterHint } from '../parts/submit-bar.tsx';
import { texts as partTexts } from '../parts/texts.ts';
import { useEnterKey } from '../parts/use-enter-key.ts';
import { GroupReview } from './group-review.tsx';
import { findNextOpen, toEntries, toStepOf } from './group-steps.ts';
import { GroupTabs, toTabId } from './group-tabs.tsx';
import { EMPTY_DRAFT, fitsQuestion, type QuestionDraft, toAnswer } from './question-draft.ts';
import { focusAnswer, QuestionFields } from './question-fields.tsx';
import { REVIEW } from './review.ts';
import { texts } from './texts.ts';

/** A press that follows a change of the tab sooner than this was meant for the tab before. */
const ECHO_MS = 350;

/**
 * The questions of one call as tabs. A choice is only a draft, so it may be quick; the review shows all answers, and
 * only there one press sends them, together. The consent guard knows the review as `sightId`.
 */
export function GroupForm({
  group,
  coming,
  startId,
  sightId,
  onShow,
  onAnswers,
  isSending,
  renderSettled,
}: {
  group: readonly InteractionOf<'question'>[];
  /** How many questions the agent has announced but not asked yet. */
  coming: number;
  /** The tab that is open at first. */
  startId: string;
  sightId: string;
  onShow: (id: string) => void;
  /** Gives whether the answers count. Rejects if they did not arrive. */
  onAnswers: (answers: { id: string; answer: AnswerInput }[]) => Promise<boolean>;
  isSending: boolean;
  renderSettled: (interaction: InteractionOf<'question'>) => ReactNode;
}) {
  const id = useId();
  const drafts = useDrafts();
  const { element: card } = use(CardContext);
  const [wanted, setShown] = useState(startId);
  const [isMissing, setMissing] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const movedAt = useRef(Number.NEGATIVE_INFINITY);
  const echoAt = useRef(Number.NEGATIVE_INFINITY);

  const steps = group.map((interaction) => {
    const kept = drafts.read(interaction.id);
    return toStepOf(interaction, fitsQuestion(interaction.request, kept) ? kept : EMPTY_DRAFT);
  });
  const pending = steps.filter(({ state }) => state !== 'settled');
  const isReview = wanted === REVIEW && pending.length > 0;
  const current = isReview ? undefined : (steps.find(({ interaction }) => interaction.id === wanted) ?? steps[0]);
  const shown = current?.interaction.id ?? REVIEW;
  const places = [...steps.map(({ interaction }) => interaction.id), ...(pending.length > 0 ? [REVIEW] : [])];
  const entries = toEntries(steps);

  useInSight(
    isReview ? sightId : `${sightId} tabs`,
    // In the tabs only a new question matters: what is chosen there is a draft.
    JSON.stringify([group.map(({ request, status }) => [request, isReview && status]), isReview && entries]),
  );
  const show = (to: string): void => {
    movedAt.current = performance.now();
    setMissing(false);
    setShown(to);
    if (to !== REVIEW) onShow(to);
  };
  const go = (to: string): void => {
    show(to);
    requestAnimationFrame(() => {
      panel.current?.focus({ preventScroll: true });
      // Somebody's own page moves only if the tabs are out of sight.
      form.current?.firstElementChild?.scrollIntoView({ block: card === null ? 'start' : 'nearest' });
    });
  };
  // On a phone the tabs scroll sideways. The page around them stays.
  useEffect(() => {
    const tab = document.getElementById(toTabId(id, shown));
    const list = tab?.parentElement;
    if (tab == null || list == null) return;
    const [inner, outer] = [tab.getBoundingClientRect(), list.getBoundingClientRect()];
    list.scrollLeft += Math.min(0, inner.left - outer.left) + Math.max(0, inner.right - outer.right);
  }, [id, shown]);

  const showMissing = (): void => {
    if (current === undefined) return;
    setMissing(true);
    focusAnswer(`${id}-${current.interaction.id}`, current.interaction, current.draft);
  };
  const send = (): void => {
    if (entries === null || isSending) return;
    onAnswers(entries).then(
      (isCounted) => {
        if (isCounted) for (const entry of entries) drafts.write(entry.id, null);
      },
      () => undefined, // The owner of the form shows the failure.
    );
  };
  const advance = (): void => {
    if (current === undefined) {
      const open = steps.find(({ state }) => state === 'open');
      if (open === undefined) send();
      else go(open.interaction.id);
      return;
    }
    const next = findNextOpen(steps, shown);
    if (next !== null) go(next.interaction.id);
    else if (current.state === 'open') showMissing();
    else if (pending.length > 0) go(REVIEW);
  };
  const isEcho = (): boolean => performance.now() - echoAt.current < ECHO_MS;
  const pick = (draft: QuestionDraft): void => {
    if (isEcho() || current === undefined || toAnswer(current.interaction.request, draft) === null) return;
    go(findNextOpen(steps, shown)?.interaction.id ?? REVIEW);
  };
  const step = (by: 1 | -1): void => go(places.at((places.indexOf(shown) + by) % places.length) ?? shown);
  useEnterKey(advance);
  useKey('[', () => step(-1));
  useKey(']', () => step(1));

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    advance();
  };
  return (
    <form
      id={`${id}-form`}
      ref={form}
      data-inert={useIsInert()}
      onSubmit={submit}
      noValidate
      className="@container space-y-4"
    >
      <GroupTabs id={id} steps={steps} coming={coming} shown={shown} hasReview={pending.length > 0} onShow={show} />
      <div
        ref={panel}
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={toTabId(id, shown)}
        tabIndex={-1}
        onPointerDownCapture={() => {
          if (performance.now() - movedAt.current < ECHO_MS) echoAt.current = performance.now();
        }}
        className="outline-none"
      >
        {current === undefined && <GroupReview steps={steps} isSending={isSending} onChange={go} />}
        {current?.state === 'settled' && renderSettled(current.interaction)}
        {current !== undefined && current.state !== 'settled' && (
          <QuestionFields
            key={current.interaction.id}
            interaction={current.interaction}
            id={`${id}-${current.interaction.id}`}
            draft={current.draft}
            onDraft={(draft) => {
              if (isEcho()) return;
              setMissing(false);
              drafts.write(current.interaction.id, draft);
            }}
            onEnter={advance}
            onPicked={pick}
            isDisabled={isSending}
            isMissing={isMissing}
            isAwaited={false}
          />
        )}
      </div>
      {pending.length > 0 && (
        <DecisionBar
          note={
            <p className="text-xs text-muted">
              {texts.progress(pending.filter(({ state }) => state === 'drafted').length, pending.length)}
            </p>
          }
          no={
            <Button disabled={places.indexOf(shown) === 0} onClick={() => step(-1)}>
              {texts.back}
            </Button>
          }
          yes={
            isReview && entries !== null ? (
              <DecisionButton type="submit" form={`${id}-form`} look="primary" isBusy={isSending}>
                {isSending ? partTexts.sending : texts.send(entries.length)}
                <EnterHint />
              </DecisionButton>
            ) : (
              <Button type="submit" form={`${id}-form`} look="primary">
                {isReview ? texts.answerNow : texts.next}
                <EnterHint />
              </Button>
            )
          }
        />
      )}
    </form>
  );
}
