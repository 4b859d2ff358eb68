import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Rule, RuleDetails } from 'beckon/client';
import { toVisibleLine } from 'beckon/presentation';
import { Button, Loading, Notice } from 'beckon/react/parts';
import { type ReactNode, useState } from 'react';
import { formatInstant } from '../../interactions/instants.ts';
import { Age } from '../../interactions/time-left.tsx';
import { useApp } from '../../live/app-context.ts';
import { keys } from '../../live/keys.ts';
import { PreviewList } from '../../rules/preview-list.tsx';
import { RuleEnd } from '../../rules/rule-end.tsx';
import { toRuleMessage } from '../../rules/rule-message.ts';
import { RuleSentence } from '../../rules/rule-sentence.tsx';
import { texts as ruleTexts } from '../../rules/texts.ts';
import { useRules } from '../../rules/use-rules.ts';
import { BackButton } from '../../ui/back-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { useUi } from '../../ui/ui-context.ts';
import { describeScope } from './describe-scope.ts';
import { EditRule } from './edit-rule.tsx';
import { HitsByDay } from './hits-by-day.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RuleBadges } from './rule-badges.tsx';
import { texts } from './texts.ts';

/** One rule: what it says, what it did, and what can be done with it. */
export function RuleDetailsView({ id, onClose }: { id: string; onClose: () => void }) {
  const rules = useRules();
  const query = useQuery({ queryKey: keys.rule(id), queryFn: () => rules.get(id) });
  const [isEditing, setEditing] = useState(false);
  if (query.isPending) return <Loading />;
  if (query.isError && query.data === undefined) {
    return <Failure title={texts.details.loadFailed} error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (query.data == null) {
    return (
      <EmptyState isPage icon="search" title={texts.details.notFound}>
        <p>{texts.details.notFoundHint}</p>
        <Button onClick={onClose}>{texts.details.back}</Button>
      </EmptyState>
    );
  }
  if (isEditing) return <EditRule rule={query.data.rule} onClose={() => setEditing(false)} />;
  return <Details details={query.data} onEdit={() => setEditing(true)} onClose={onClose} />;
}

function Details({ details, onEdit, onClose }: { details: RuleDetails; onEdit: () => void; onClose: () => void }) {
  const { me } = useApp();
  const [isRevoking, setRevoking] = useState(false);
  const { rule, hits, lastHitAt, days, recent } = details;
  const change = useRuleChange(rule);
  const author = toVisibleLine(rule.createdBy, 60);
  const mayChange = me.answerOnly !== true && (me.role === 'admin' || rule.createdBy === me.who);
  return (
    <article className="flex h-full flex-col overflow-y-auto">
      <header className="flex items-start gap-2 border-b border-line px-4 py-3 lg:px-6">
        <BackButton onClick={onClose} />
        <div className="min-w-0 flex-1 space-y-1.5">
          <h1 className="text-base font-medium [overflow-wrap:anywhere]">
            <RuleSentence rule={rule} />
          </h1>
          <p className="flex flex-wrap gap-1.5">
            <RuleBadges rule={rule} />
          </p>
        </div>
      </header>
      <div className="max-w-4xl space-y-5 px-4 py-4 lg:px-6">
        {rule.stopped !== undefined && (
          <Notice
            tone="warning"
            icon="warning"
            title={texts.details.stoppedTitle(formatInstant(rule.stopped.at))}
            actions={
              mayChange && (
                <Button
                  size="small"
                  disabled={change.isPending}
                  onClick={() => change.mutate({ change: {}, said: texts.details.started })}
                >
                  {texts.details.start}
                </Button>
              )
            }
          >
            <p>{toVisibleLine(rule.stopped.why, 500)}</p>
            <p className="text-muted">{texts.details.stoppedHint}</p>
          </Notice>
        )}
        {change.isError && (
          <Notice tone="danger" icon="warning" role="alert" title={texts.details.changeFailed}>
            <p>{toRuleMessage(change.error)}</p>
          </Notice>
        )}
        {mayChange ? (
          <div className="flex flex-wrap items-center gap-3">
            <SegmentedControl
              label={ruleTexts.mode}
              value={rule.mode}
              options={(['on', 'watch'] as const).map((value) => ({ value, name: ruleTexts.modes[value] }))}
              onChange={(mode) => change.mutate({ change: { mode }, said: texts.details.changed[mode] })}
            />
            <span className="min-w-0 flex-1 basis-40 text-xs text-muted">{ruleTexts.modeHints[rule.mode]}</span>
            <Button onClick={onEdit}>{texts.details.edit}</Button>
            <Button look="danger" onClick={() => setRevoking(true)}>
              {texts.details.revoke}
            </Button>
          </div>
        ) : (
          <p className="text-sm text-muted">
            {me.answerOnly === true ? texts.details.answerOnly : texts.details.notYours(author)}
          </p>
        )}
        <dl aria-label={texts.details.facts} className="grid gap-x-4 gap-y-2 text-sm sm:grid-cols-[8rem_1fr]">
          <Fact name={texts.details.scope}>{describeScope(rule.scope)}</Fact>
          <Fact name={texts.details.until}>
            <RuleEnd until={rule.until} />
          </Fact>
          <Fact name={texts.details.author}>
            <bdi>{author}</bdi>
            <span className="text-muted">{`, ${texts.details.made(formatInstant(rule.createdAt))}`}</span>
          </Fact>
          {rule.reason !== undefined && rule.reason !== '' && (
            <Fact name={texts.details.reason}>{toVisibleLine(rule.reason, 500)}</Fact>
          )}
          <Examples name={texts.details.mustMatch} examples={rule.examples.match} />
          <Examples name={texts.details.leavesAlone} examples={rule.examples.notMatch} />
          <Fact name={texts.details.hits}>{texts.hits(hits)}</Fact>
          <Fact name={texts.details.lastHit}>
            {lastHitAt === undefined ? texts.details.never : <Age at={lastHitAt} isLong />}
          </Fact>
        </dl>
        {hits > 0 && <HitsByDay days={days} now={new Date()} />}
        <section className="space-y-2">
          <h2 className="font-medium">{rule.mode === 'watch' ? texts.details.recentWatch : texts.details.recent}</h2>
          {recent.length === 0 ? (
            <p className="text-sm text-muted">{texts.details.nothingYet}</p>
          ) : (
            <PreviewList
              label={texts.details.recent}
              items={recent}
              total={Math.max(hits, recent.length)}
              isLinked
              hasPeople={rule.mode === 'watch'}
            />
          )}
        </section>
      </div>
      {isRevoking && <RevokeDialog rule={rule} onClose={() => setRevoking(false)} onRevoked={onClose} />}
    </article>
  );
}

function useRuleChange(rule: Rule) {
  const rules = useRules();
  const queries = useQueryClient();
  const { toasts } = useUi();
  return useMutation({
    mutationFn: ({ change }: { change: { mode?: 'on' | 'watch' }; said: string }) => rules.edit(rule.id, change),
    onSuccess: async (_, { said }) => {
      toasts.show(said);
      await queries.invalidateQueries({ queryKey: keys.rules });
    },
  });
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere] max-sm:-mt-1.5">{children}</dd>
    </div>
  );
}

function Examples({ name, examples }: { name: string; examples: readonly string[] }) {
  if (examples.length === 0) return null;
  return (
    <Fact name={name}>
      <ul className="space-y-0.5">
        {examples.map((example) => (
          <li key={example} className="font-mono text-xs">
            {toVisibleLine(example, 300, 'code')}
          </li>
        ))}
      </ul>
    </Fact>
  );
}
