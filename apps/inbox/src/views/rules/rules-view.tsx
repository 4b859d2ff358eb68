import { useKey } from 'beckon/react/parts';
import { useLocation } from 'wouter';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Split } from '../../ui/split.tsx';
import { NewRule } from './new-rule.tsx';
import { RuleDetailsView } from './rule-details-view.tsx';
import { RuleList } from './rule-list.tsx';
import { texts } from './texts.ts';

/** The rules, and the open one; `new` is the form for another. */
export function RulesView({ id }: { id?: string }) {
  const [, navigate] = useLocation();
  const close = (): void => navigate('/rules');
  useKey('Escape', close, { isOn: id !== undefined });
  return (
    <Split
      isOpen={id !== undefined}
      list={<RuleList openId={id} />}
      detail={
        id === undefined ? (
          <div className="flex h-full items-center justify-center">
            <EmptyState icon="rules" title={texts.choose} />
          </div>
        ) : id === 'new' ? (
          <NewRule onClose={close} />
        ) : (
          <RuleDetailsView key={id} id={id} onClose={close} />
        )
      }
    />
  );
}
