import { useInfiniteQuery } from '@tanstack/react-query';
import { BeckonError } from 'beckon/protocol';
import { buttonClasses, Icon, Loading, useKey } from 'beckon/react/parts';
import { useRef, useState } from 'react';
import { Link } from 'wouter';
import { useApp } from '../../live/app-context.ts';
import { keys } from '../../live/keys.ts';
import { TickedText } from '../../rules/rule-sentence.tsx';
import { useRules } from '../../rules/use-rules.ts';
import { Chip } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { TypedInput } from '../../ui/typed-input.tsx';
import { useRowKeys } from '../../ui/use-row-keys.ts';
import { ViewHeader } from '../../ui/view-header.tsx';
import { countShown, filterRules, SHOWN, type Shown } from './filter-rules.ts';
import { RuleRow } from './rule-row.tsx';
import { Suggestions } from './suggestions.tsx';
import { texts } from './texts.ts';

/** All rules, with a search, and above them what could become one. */
export function RuleList({ openId }: { openId: string | undefined }) {
  const { me } = useApp();
  const rules = useRules();
  const list = useRowKeys();
  const search = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [shown, setShown] = useState<Shown | null>(null);
  useKey('/', () => search.current?.focus());
  const query = useInfiniteQuery({
    queryKey: keys.ruleList,
    queryFn: ({ pageParam }) => rules.list(pageParam === undefined ? {} : { after: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  });
  const all = query.data?.pages.flatMap((page) => page.items) ?? [];
  const items = filterRules(all, text, shown);
  const counts = countShown(all);
  const isForbidden = query.error instanceof BeckonError && query.error.code === 'forbidden';
  const mayMake = me.answerOnly !== true;
  return (
    <>
      <ViewHeader
        title={texts.title}
        aside={
          all.length > 0 && (
            <search className="mt-1.5 space-y-2 pb-1">
              <div className="relative">
                <Icon
                  name="search"
                  className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-muted"
                />
                <TypedInput
                  inputRef={search}
                  label={texts.search}
                  placeholder={texts.search}
                  value={text}
                  onChange={setText}
                  className="field w-full py-1 pl-8 text-sm"
                />
              </div>
              <div role="group" aria-label={texts.filters} className="flex flex-wrap gap-1">
                {SHOWN.filter((name) => counts[name] > 0 || name === shown).map((name) => (
                  <Chip
                    key={name}
                    count={counts[name]}
                    isOn={shown === name}
                    onChange={() => setShown(shown === name ? null : name)}
                  >
                    {texts.shown[name]}
                  </Chip>
                ))}
              </div>
            </search>
          )
        }
      >
        {mayMake && (
          <Link to="/rules/new" className={`${buttonClasses('secondary', 'small')} ml-auto`}>
            {texts.newRule}
          </Link>
        )}
      </ViewHeader>
      <p role="status" className="sr-only">
        {query.isSuccess && (text !== '' || shown !== null) && texts.found(items.length, query.hasNextPage)}
      </p>
      {query.isPending && <Loading />}
      {isForbidden && <EmptyState icon="rules" title={texts.forbidden} />}
      {query.isError && !isForbidden && all.length === 0 && (
        <Failure title={texts.failed} error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isSuccess && (
        <div ref={list} data-shortcut-list className="min-h-0 flex-1 overflow-y-auto">
          {mayMake && text === '' && shown === null && <Suggestions />}
          {all.length === 0 && <NoRules />}
          {all.length > 0 && items.length === 0 && (
            <EmptyState icon="search" title={texts.noMatch}>
              <p>{texts.noMatchHint}</p>
            </EmptyState>
          )}
          {items.length > 0 && (
            <ul aria-label={texts.list}>
              {items.map((listed) => (
                <RuleRow key={listed.rule.id} listed={listed} isOpen={listed.rule.id === openId} />
              ))}
            </ul>
          )}
          <LoadMore query={query} />
        </div>
      )}
    </>
  );
}

function NoRules() {
  return (
    <EmptyState icon="rules" title={texts.empty}>
      <p>{texts.emptyHint}</p>
      <p className="rounded-md border border-line bg-surface px-3 py-2 text-left text-ink">
        <TickedText text={texts.emptyExample} />
      </p>
      <p>{texts.emptyHow}</p>
    </EmptyState>
  );
}
