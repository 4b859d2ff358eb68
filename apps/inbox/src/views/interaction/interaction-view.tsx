import { useQuery } from '@tanstack/react-query';
import type { Interaction } from 'beckon/protocol';
import { Button, Loading, toTabs } from 'beckon/react/parts';
import { lazy, type ReactNode, Suspense } from 'react';
import { useApp } from '../../live/app-context.ts';
import { keys } from '../../live/keys.ts';
import { usePending } from '../../live/use-pending.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { InteractionFrame } from './interaction-frame.tsx';
import { loadGroupFrame } from './lazy-group.ts';
import { texts } from './texts.ts';
import { useGroup } from './use-group.ts';

const GroupFrame = lazy(() => loadGroupFrame().then((module) => ({ default: module.GroupFrame })));

export interface InteractionViewProps {
  id: string;
  onClose: () => void;
  /** Opens another pending request, if there is one. */
  onNext?: (() => void) | undefined;
  /** Called after an answer. Without it, the outcome is shown. */
  onAnswered?: () => void;
  /** What else can be done with a pending request; stands in the decision bar, over the buttons. */
  actions?: ReactNode;
}

/** One request, whatever its status. */
export function InteractionView(props: InteractionViewProps) {
  const { id, onClose } = props;
  const { beckon } = useApp();
  const listed = usePending().items.get(id);
  const query = useQuery({
    queryKey: keys.interaction(id),
    queryFn: () => beckon.get(id),
    initialData: () => listed,
  });
  if (query.isPending) return <Loading />;
  if (query.isError && query.data === undefined) {
    return <Failure title={texts.loadFailed} error={query.error} onRetry={() => void query.refetch()} />;
  }
  // The pending list may be a moment ahead of the query.
  const interaction = query.data ?? listed;
  if (interaction == null) {
    return (
      <EmptyState isPage icon="search" title={texts.notFound}>
        <p>{texts.notFoundHint}</p>
        <Button onClick={onClose}>{texts.toPending}</Button>
      </EmptyState>
    );
  }
  return <GroupOrOne {...props} interaction={interaction} />;
}

/** Questions of one call that are answered together are shown together. Other requests stand alone. */
function GroupOrOne(props: InteractionViewProps & { interaction: Interaction }) {
  const { interaction } = props;
  const { group, isLoading } = useGroup(interaction);
  const tabs = toTabs(interaction, group);
  if (tabs === null) return <InteractionFrame {...props} group={group} />;
  return (
    <Suspense fallback={<Loading />}>
      <GroupFrame
        {...props}
        interaction={interaction}
        group={tabs.questions}
        groupId={tabs.groupId}
        isLoading={isLoading}
      />
    </Suspense>
  );
}
