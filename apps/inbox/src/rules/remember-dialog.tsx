import { useQuery } from '@tanstack/react-query';
import type { AnswerResult, PreviewItem, RuleDraft, RuleOffer } from 'beckon/client';
import { describeEnding, toAsker, toHeadline, toPlace } from 'beckon/presentation';
import { type AnswerInput, BeckonError, type InteractionOf } from 'beckon/protocol';
import { Button, DecisionButton, KeyHint, Loading, Notice, useInSightOver, useKey } from 'beckon/react/parts';
import { useCallback, useId, useLayoutEffect, useRef, useState } from 'react';
import { useApp } from '../live/app-context.ts';
import { keys } from '../live/keys.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { useUi } from '../ui/ui-context.ts';
import { Contradiction } from './contradiction.tsx';
import { RememberChoice } from './remember-choice.tsx';
import { isContradiction, toRuleMessage } from './rule-message.ts';
import { RulePreview } from './rule-preview.tsx';
import { RuleSentence, TickedText, toSentence } from './rule-sentence.tsx';
import { RuleTerms, type Terms } from './rule-terms.tsx';
import { toRuleTime, toUntil } from './rule-times.ts';
import { texts } from './texts.ts';
import { useRules } from './use-rules.ts';

/** Allows a request and keeps it for the future: as a rule of Beckon, or as one of the agent. */
export function RememberDialog({
  interaction,
  ownRule,
  isSending,
  onAnswer,
  onClose,
}: {
  interaction: InteractionOf<'approval'>;
  /** What the agent itself would remember, in lines. Empty: it offers nothing. */
  ownRule: readonly string[];
  isSending: boolean;
  onAnswer: (answer: AnswerInput, options?: { first: () => Promise<void> }) => Promise<AnswerResult>;
  onClose: () => void;
}) {
  const id = useId();
  const { me } = useApp();
  const { toasts } = useUi();
  const rules = useRules();
  const query = useQuery({
    queryKey: keys.offers(interaction.id),
    queryFn: () => rules.offers(interaction.id),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const offers = query.data?.offers ?? [];
  const agent = toPlace(interaction).agent ?? toAsker(interaction).claim ?? texts.remember.anAgent;
  const hasOwn = ownRule.length > 0 && !isForbidden(query.error);
  const count = offers.length + (hasOwn ? 1 : 0);

  const [picked, setPicked] = useState(0);
  const [changed, setChanged] = useState<Partial<Terms>>({});
  const [failure, setFailure] = useState<unknown>();
  const [contradictions, setContradictions] = useState<readonly PreviewItem[] | null>(null);
  const offer = offers[picked];
  const terms: Terms = {
    time: changed.time ?? toRuleTime(offer?.draft.until),
    mode: changed.mode ?? offer?.draft.mode ?? 'on',
  };

  // What would be saved is what must have been seen. A number key only chooses among that.
  const isReady = !query.isPending;
  useInSightOver(
    interaction.id,
    JSON.stringify([isReady, offers.map(({ key }) => key), hasOwn, contradictions?.map((item) => item.id)]),
  );
  const form = useRef<HTMLFormElement>(null);
  // Before the dialog looks for a place for the focus: Enter on its close button would close it.
  const takeForm = useCallback((element: HTMLFormElement | null) => {
    form.current = element;
    element?.focus();
  }, []);
  useLayoutEffect(() => {
    if (isReady && contradictions === null) focusChoice(form.current, picked);
  }, [isReady, contradictions, picked]);

  const save = async (draft: RuleDraft, isConfirmed: boolean): Promise<void> => {
    let isSaved = false;
    setFailure(undefined);
    try {
      const { result, interaction: after } = await onAnswer(
        { decision: 'allow' },
        {
          first: async () => {
            await rules.add(draft, isConfirmed ? { confirm: true } : {});
            isSaved = true;
          },
        },
      );
      if (!isSaved) return;
      const isCounted = result === 'accepted' || result === 'repeated';
      if (isCounted) toasts.show(texts.remember.saved(toSentence(draft)));
      else if (after === null) toasts.show(texts.remember.savedUnknown, 'note');
      else toasts.show(texts.remember.savedBut(describeEnding(after, me.who)), 'note');
    } catch (error) {
      if (isSaved) {
        // The request itself says what became of the answer.
        toasts.show(texts.remember.saved(toSentence(draft)));
        onClose();
      } else if (isContradiction(error) && !isConfirmed) setContradictions(offer?.preview.contradictions ?? []);
      else setFailure(error);
    }
  };
  const saveOwn = (): void => {
    setFailure(undefined);
    onAnswer({ decision: 'allow', remember: true }).catch((error: unknown) => {
      if (error instanceof BeckonError) onClose();
      else setFailure(error);
    });
  };
  const submit = (): void => {
    if (isSending || picked >= count) return;
    if (offer === undefined) saveOwn();
    else if (offer.preview.contradictions.length > 0) setContradictions(offer.preview.contradictions);
    else void save(toDraft(offer, terms), false);
  };
  const saveAnyway = (): void => {
    if (!isSending && offer !== undefined) void save(toDraft(offer, terms), true);
  };
  const pick = (place: number): void => {
    if (isSending) return;
    setFailure(undefined);
    setPicked(place);
  };

  const isConfirming = contradictions !== null;
  useKey('y', saveAnyway, { isOn: isConfirming, isInDialog: true });
  useKey('1-9', (event) => Number(event.key) <= count && pick(Number(event.key) - 1), {
    isOn: !isConfirming,
    isInDialog: true,
  });
  return (
    <Dialog
      title={texts.remember.title}
      size="wide"
      onClose={onClose}
      footer={
        isConfirming ? (
          <Button onClick={() => setContradictions(null)}>{texts.remember.back}</Button>
        ) : (
          count > 0 && (
            <div className="flex w-full flex-wrap items-center justify-end gap-2">
              <p className="min-w-0 flex-1 basis-48 text-xs text-muted">
                {offer === undefined ? texts.remember.hintAgent : texts.remember.hint}
              </p>
              <DecisionButton type="submit" form={id} look="primary" isBusy={isSending} className="max-sm:w-full">
                {offer === undefined ? texts.remember.saveAgent : texts.remember.save}
                <EnterHint />
              </DecisionButton>
            </div>
          )
        )
      }
    >
      <bdi className="block font-mono text-xs [overflow-wrap:anywhere] text-muted">{toHeadline(interaction, 500)}</bdi>
      {failure !== undefined && <Problem error={failure} />}
      {isConfirming && (
        <Contradiction items={contradictions}>
          {offer !== undefined && (
            <p className="pb-2 [overflow-wrap:anywhere]">
              <RuleSentence rule={toDraft(offer, terms)} />
            </p>
          )}
          <DecisionButton look="danger" isBusy={isSending} aria-keyshortcuts="y" onClick={saveAnyway}>
            {texts.remember.saveAnyway}
            <KeyHint name="y" />
          </DecisionButton>
        </Contradiction>
      )}
      <form
        id={id}
        ref={takeForm}
        tabIndex={-1}
        hidden={isConfirming}
        aria-label={texts.remember.choices}
        className="space-y-3 outline-none"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {query.isPending && <Loading rows={2} />}
        {query.isError && !isForbidden(query.error) && (
          <Failure title={texts.remember.failed} error={query.error} onRetry={() => void query.refetch()} />
        )}
        {(isForbidden(query.error) || (isReady && offers.length === 0 && !query.isError)) && (
          <Notice icon="warning" title={texts.remember.none}>
            <p>
              <TickedText text={query.isError ? toRuleMessage(query.error) : (query.data?.why ?? '')} />
            </p>
          </Notice>
        )}
        {isReady && count > 0 && (
          <fieldset className="divide-y divide-line overflow-clip rounded-lg border border-line">
            <legend className="sr-only">{texts.remember.choices}</legend>
            {offers.map((one, place) => (
              <RememberChoice
                key={one.key}
                place={place}
                isPicked={place === picked}
                onPick={() => pick(place)}
                about={<RulePreview preview={one.preview} />}
              >
                <RuleSentence rule={place === picked ? toDraft(one, terms) : one.draft} />
              </RememberChoice>
            ))}
            {hasOwn && (
              <RememberChoice
                place={offers.length}
                isPicked={picked === offers.length}
                onPick={() => pick(offers.length)}
                about={<p className="text-xs text-muted">{texts.remember.keptThere(agent)}</p>}
              >
                <span className="font-medium">{texts.remember.ofAgent(agent)}: </span>
                {ownRule.join('; ')}
              </RememberChoice>
            )}
          </fieldset>
        )}
        {offer !== undefined && (
          <RuleTerms
            terms={terms}
            hasOwnEnd={toRuleTime(offer.draft.until) === null}
            onChange={(next) => setChanged({ ...(next.time !== null && { time: next.time }), mode: next.mode })}
          />
        )}
      </form>
    </Dialog>
  );
}

/** The guard refused the press, or the server the rule. */
function Problem({ error }: { error: unknown }) {
  if (!(error instanceof BeckonError)) {
    return (
      <Notice tone="warning" icon="warning">
        {toRuleMessage(error)}
      </Notice>
    );
  }
  return (
    <Notice tone="danger" icon="warning" role="alert" title={texts.remember.notSaved}>
      <p>
        <TickedText text={toRuleMessage(error)} />
      </p>
    </Notice>
  );
}

function EnterHint() {
  return (
    <kbd aria-hidden="true" className="font-mono text-xs font-normal opacity-70 max-lg:hidden pointer-coarse:hidden">
      ⏎
    </kbd>
  );
}

function toDraft({ draft }: RuleOffer, { time, mode }: Terms): RuleDraft {
  const { until: offered, ...rest } = draft;
  const until = time === null || time === toRuleTime(offered) ? offered : toUntil(time, new Date());
  return { ...rest, ...(until !== undefined && { until }), mode };
}

function isForbidden(error: unknown): boolean {
  return error instanceof BeckonError && error.code === 'forbidden';
}

function focusChoice(form: HTMLFormElement | null, place: number): void {
  const choice = form?.querySelectorAll<HTMLInputElement>('input[name="remember"]')[place];
  choice?.focus();
}
