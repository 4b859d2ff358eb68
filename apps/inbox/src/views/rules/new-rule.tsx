import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { toRulePath } from '../../interactions/links.ts';
import { useApp } from '../../live/app-context.ts';
import { keys } from '../../live/keys.ts';
import { useRules } from '../../rules/use-rules.ts';
import { EMPTY_FIELDS } from './rule-fields.ts';
import { RuleForm } from './rule-form.tsx';
import { texts } from './texts.ts';

/** The form for a rule that is not made from a request. */
export function NewRule({ onClose }: { onClose: () => void }) {
  const { me } = useApp();
  const rules = useRules();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  // Somebody who sees one chat makes rules for it.
  const [start] = useState({ ...EMPTY_FIELDS, scope: { ...EMPTY_FIELDS.scope, chatId: me.chatId ?? '' } });
  return (
    <RuleForm
      title={texts.form.newTitle}
      save={texts.form.save}
      start={start}
      onSave={async (draft, isConfirmed) => {
        const rule = await rules.add(draft, isConfirmed ? { confirm: true } : {});
        navigate(toRulePath(rule.id), { replace: true });
        void queries.invalidateQueries({ queryKey: keys.rules });
      }}
      onClose={onClose}
    />
  );
}
