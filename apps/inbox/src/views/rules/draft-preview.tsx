import type { UseQueryResult } from '@tanstack/react-query';
import type { RulePreview as Preview, RuleDraft } from 'beckon/client';
import { Notice } from 'beckon/react/parts';
import { toRuleMessage } from '../../rules/rule-message.ts';
import { RulePreview } from '../../rules/rule-preview.tsx';
import { RuleSentence, TickedText } from '../../rules/rule-sentence.tsx';
import { texts } from './texts.ts';

/** What the rule in the form says, and what it would have decided. */
export function DraftPreview({ draft, preview }: { draft: RuleDraft; preview: UseQueryResult<Preview> }) {
  return (
    <section
      aria-label={texts.form.preview}
      className="max-h-[35dvh] shrink-0 space-y-1.5 overflow-y-auto border-t border-line bg-canvas px-4 py-2.5 text-sm lg:px-6"
    >
      <h2 className="text-xs font-semibold text-muted">{texts.form.preview}</h2>
      <p className="[overflow-wrap:anywhere]">
        <RuleSentence rule={draft} />
      </p>
      <div aria-live="polite">
        {preview.isError ? (
          <Notice tone="warning" icon="warning">
            <TickedText text={toRuleMessage(preview.error)} />
          </Notice>
        ) : preview.data === undefined ? (
          <p className="text-xs text-muted">{texts.form.previewing}</p>
        ) : (
          <RulePreview preview={preview.data} isLinked />
        )}
      </div>
    </section>
  );
}
