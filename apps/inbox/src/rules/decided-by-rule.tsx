import { useQuery } from '@tanstack/react-query';
import type { PreviewItem, Rule } from 'beckon/client';
import { toVisibleLine } from 'beckon/presentation';
import type { Interaction } from 'beckon/protocol';
import { Button } from 'beckon/react/parts';
import { useState } from 'react';
import { Link } from 'wouter';
import { toRulePath } from '../interactions/links.ts';
import { useApp } from '../live/app-context.ts';
import { keys } from '../live/keys.ts';
import { Confirm } from '../ui/confirm.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { PreviewList } from './preview-list.tsx';
import { RuleSentence } from './rule-sentence.tsx';
import { texts } from './texts.ts';
import { useRules } from './use-rules.ts';

/** Which rule decided a request, and a way to say that it should not have. */
export function DecidedByRule({ interaction }: { interaction: Interaction }) {
  const { me } = useApp();
  const rules = useRules();
  const [state, setState] = useState<'idle' | 'asking' | { rules: readonly Rule[]; also: readonly PreviewItem[] }>(
    'idle',
  );
  const ruleId = toRuleId(interaction);
  const query = useQuery({ queryKey: keys.rule(ruleId), queryFn: () => rules.get(ruleId), enabled: ruleId !== '' });
  const rule = query.data?.rule;
  const mayMark = me.answerOnly !== true && rule !== undefined && (me.role === 'admin' || rule.createdBy === me.who);
  if (query.isPending) return null;
  return (
    <div className="space-y-1 text-sm">
      {rule === undefined ? (
        <p>{texts.decided.removed}</p>
      ) : (
        <p className="[overflow-wrap:anywhere]">
          <Link to={toRulePath(rule.id)} className="text-accent-text underline-offset-2 hover:underline">
            <RuleSentence rule={rule} />
          </Link>
        </p>
      )}
      {rule?.stopped !== undefined && (
        <p className="text-muted">{texts.decided.stopped(toVisibleLine(rule.stopped.why, 300))}</p>
      )}
      {mayMark && rule.stopped === undefined && (
        <Button size="small" onClick={() => setState('asking')}>
          {texts.decided.wrong}
        </Button>
      )}
      {state === 'asking' && (
        <Confirm
          title={texts.decided.wrongTitle}
          description={texts.decided.wrongHint}
          confirm={texts.decided.wrongConfirm}
          failed={texts.decided.wrongFailed}
          onConfirm={async () => setState(await rules.markWrong(interaction.id))}
          onClose={() => setState((now) => (now === 'asking' ? 'idle' : now))}
        >
          {rule !== undefined && (
            <p className="[overflow-wrap:anywhere]">
              <RuleSentence rule={rule} />
            </p>
          )}
        </Confirm>
      )}
      {typeof state === 'object' && (
        <StoppedDialog
          {...state}
          onClose={() => {
            setState('idle');
            void query.refetch();
          }}
        />
      )}
    </div>
  );
}

function StoppedDialog({
  rules,
  also,
  onClose,
}: {
  rules: readonly Rule[];
  also: readonly PreviewItem[];
  onClose: () => void;
}) {
  return (
    <Dialog
      title={rules.length > 1 ? texts.decided.wrongDoneSeveral(rules.length) : texts.decided.wrongDone}
      size="wide"
      onClose={onClose}
      footer={<Button onClick={onClose}>{texts.decided.close}</Button>}
    >
      {rules.length === 0 && <p>{texts.decided.wrongNone}</p>}
      {rules.map((rule) => (
        <p key={rule.id} className="[overflow-wrap:anywhere]">
          <RuleSentence rule={rule} />
        </p>
      ))}
      <p className="text-muted">{also.length === 0 ? texts.decided.alsoNone : texts.decided.also(also.length)}</p>
      {also.length > 0 && <PreviewList label={texts.decided.alsoList} items={also} isLinked />}
    </Dialog>
  );
}

// The first rule that took part; the log names the others.
function toRuleId({ answeredBy }: Interaction): string {
  return /^rule:([^,\s]+)/.exec(answeredBy?.via ?? '')?.[1] ?? '';
}
