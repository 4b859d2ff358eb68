import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { RuleDraft, RulePreview } from 'beckon/client';
import { useEffect, useState } from 'react';
import { keys } from '../../live/keys.ts';
import { useRules } from '../../rules/use-rules.ts';

/** How long after the last change a draft is looked up. */
const TYPING_MS = 400;

/** What a draft would have decided, a moment after it was last changed. Its time and mode make no difference. */
export function useDraftPreview(draft: RuleDraft | null): UseQueryResult<RulePreview> {
  const rules = useRules();
  const text = draft === null ? null : JSON.stringify({ ...draft, until: undefined, mode: 'on' });
  const [asked, setAsked] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const wanted = asked === null ? null : (JSON.parse(asked) as RuleDraft);
  return useQuery({
    queryKey: keys.preview(wanted),
    queryFn: () => rules.preview(wanted ?? fail()),
    enabled: wanted !== null,
    placeholderData: keepPreviousData,
  });
}

function fail(): never {
  throw new Error('Expected a draft.');
}
