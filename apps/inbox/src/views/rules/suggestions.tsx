import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { RuleOffer } from 'beckon/client';
import { Button } from 'beckon/react/parts';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { toRulePath } from '../../interactions/links.ts';
import { keys } from '../../live/keys.ts';
import { isContradiction, toRuleMessage } from '../../rules/rule-message.ts';
import { RulePreview } from '../../rules/rule-preview.tsx';
import { RuleSentence, toSentence } from '../../rules/rule-sentence.tsx';
import { texts as ruleTexts } from '../../rules/texts.ts';
import { useRules } from '../../rules/use-rules.ts';
import { useUi } from '../../ui/ui-context.ts';
import { ContradictionDialog } from './contradiction-dialog.tsx';
import { texts } from './texts.ts';

/** As many are shown at first. */
const FIRST = 3;

/** What people allowed again and again, as rules. Nothing is shown if there is nothing to suggest. */
export function Suggestions() {
  const rules = useRules();
  const [isAll, setAll] = useState(false);
  const { data = [] } = useQuery({ queryKey: keys.suggestions, queryFn: () => rules.suggestions() });
  const shown = isAll ? data : data.slice(0, FIRST);
  if (data.length === 0) return null;
  return (
    <section aria-label={texts.suggestions.title} className="space-y-2 border-b border-line bg-surface px-4 py-3">
      <h2 className="text-xs font-semibold text-muted">{texts.suggestions.title}</h2>
      <ul className="space-y-2">
        {shown.map((offer) => (
          <Suggestion key={offer.key} offer={offer} />
        ))}
      </ul>
      {data.length > shown.length && (
        <Button look="quiet" size="small" onClick={() => setAll(true)}>
          {texts.suggestions.more(data.length - shown.length)}
        </Button>
      )}
    </section>
  );
}

function Suggestion({ offer }: { offer: RuleOffer }) {
  const rules = useRules();
  const queries = useQueryClient();
  const { toasts } = useUi();
  const [, navigate] = useLocation();
  const [isContradicted, setContradicted] = useState(false);
  const sentence = toSentence(offer.draft);
  const reload = (): Promise<void> => queries.invalidateQueries({ queryKey: keys.rules });
  const make = useMutation({
    mutationFn: (isConfirmed: boolean) => rules.add(offer.draft, isConfirmed ? { confirm: true } : {}),
    onSuccess: async (rule) => {
      toasts.show(ruleTexts.remember.saved(sentence));
      navigate(toRulePath(rule.id));
      await reload();
    },
    onError: (error) => setContradicted(isContradiction(error)),
  });
  const dismiss = useMutation({
    mutationFn: () => rules.dismiss(offer.key),
    onSuccess: async () => {
      toasts.show(texts.suggestions.dismissed);
      await reload();
    },
  });
  const isBusy = make.isPending || dismiss.isPending;
  const failure = dismiss.error ?? (isContradicted ? null : make.error);
  return (
    <li className="space-y-1.5 rounded-lg border border-line bg-canvas px-3 py-2.5">
      <p className="text-sm [overflow-wrap:anywhere]">
        <RuleSentence rule={offer.draft} />
      </p>
      <RulePreview preview={offer.preview} line={texts.suggestions.hint(countAllowed(offer))} isLinked />
      {failure !== null && (
        <p role="alert" className="text-xs text-danger">
          {texts.suggestions.failed} {toRuleMessage(failure)}
        </p>
      )}
      <div className="flex flex-wrap gap-2 pt-0.5">
        <Button
          size="small"
          disabled={isBusy}
          aria-label={texts.suggestions.makeOne(sentence)}
          onClick={() => make.mutate(false)}
        >
          {make.isPending ? texts.suggestions.making : texts.suggestions.make}
        </Button>
        <Button
          look="quiet"
          size="small"
          disabled={isBusy}
          aria-label={texts.suggestions.dismissOne(sentence)}
          onClick={() => dismiss.mutate()}
        >
          {texts.suggestions.dismiss}
        </Button>
      </div>
      {isContradicted && (
        <ContradictionDialog
          items={offer.preview.contradictions}
          onConfirm={async () => void (await make.mutateAsync(true))}
          onClose={() => setContradicted(false)}
        />
      )}
    </li>
  );
}

function countAllowed({ preview }: RuleOffer): number {
  return preview.byDecision.find(({ decision }) => decision === 'allowed')?.count ?? 0;
}
