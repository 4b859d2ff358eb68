import { useQueryClient } from '@tanstack/react-query';
import type { Rule } from 'beckon/client';
import { useState } from 'react';
import { keys } from '../../live/keys.ts';
import { useRules } from '../../rules/use-rules.ts';
import { toChange, toFields, toRuleDraft } from './rule-fields.ts';
import { RuleForm } from './rule-form.tsx';
import { texts } from './texts.ts';

/** Changes a rule. Whoever does becomes its author. */
export function EditRule({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const rules = useRules();
  const queries = useQueryClient();
  const [start] = useState(() => toFields(rule));
  return (
    <RuleForm
      title={texts.form.editTitle}
      save={texts.form.saveChanges}
      start={start}
      onSave={async (draft, isConfirmed) => {
        const before = toRuleDraft(start, new Date());
        const change = 'draft' in before ? toChange(before.draft, draft) : draft;
        await rules.edit(rule.id, change, isConfirmed ? { confirm: true } : {});
        await queries.invalidateQueries({ queryKey: keys.rules });
        onClose();
      }}
      onClose={onClose}
    />
  );
}
