import { useQueryClient } from '@tanstack/react-query';
import type { Rule } from 'beckon/client';
import { keys } from '../../live/keys.ts';
import { RuleSentence } from '../../rules/rule-sentence.tsx';
import { useRules } from '../../rules/use-rules.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useUi } from '../../ui/ui-context.ts';
import { texts } from './texts.ts';

/** Removes a rule, from this moment on. */
export function RevokeDialog({ rule, onClose, onRevoked }: { rule: Rule; onClose: () => void; onRevoked: () => void }) {
  const rules = useRules();
  const queries = useQueryClient();
  const { toasts } = useUi();
  const revoke = async (): Promise<void> => {
    const isRemoved = await rules.remove(rule.id);
    toasts.show(isRemoved ? texts.details.revoked : texts.details.gone);
    onRevoked();
    void queries.invalidateQueries({ queryKey: keys.rules });
  };
  return (
    <Confirm
      title={texts.details.revokeTitle}
      description={texts.details.revokeHint}
      confirm={texts.details.revoke}
      failed={texts.details.revokeFailed}
      onConfirm={revoke}
      onClose={onClose}
    >
      <p className="[overflow-wrap:anywhere]">
        <RuleSentence rule={rule} />
      </p>
    </Confirm>
  );
}
