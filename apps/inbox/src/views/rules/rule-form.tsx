import { useMutation } from '@tanstack/react-query';
import type { RuleDraft } from 'beckon/client';
import { EFFECTS, type Effect } from 'beckon/protocol';
import { Button, Icon, IconButton, Notice, useKey } from 'beckon/react/parts';
import { useEffect, useId, useRef, useState } from 'react';
import { isContradiction, toRuleMessage } from '../../rules/rule-message.ts';
import { TickedText } from '../../rules/rule-sentence.tsx';
import { RuleTerms } from '../../rules/rule-terms.tsx';
import { BackButton } from '../../ui/back-button.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { useUi } from '../../ui/ui-context.ts';
import { ContradictionDialog } from './contradiction-dialog.tsx';
import { DraftPreview } from './draft-preview.tsx';
import { MatchField } from './match-field.tsx';
import { type RuleFields, SCOPE_FIELDS, type ScopeField, TOOLS, toRuleDraft, withTool } from './rule-fields.ts';
import { texts } from './texts.ts';
import { useDraftPreview } from './use-draft-preview.ts';

const SCOPE_NAMES: Readonly<Record<ScopeField, string>> = {
  project: texts.form.project,
  folder: texts.form.folder,
  askedBy: texts.form.askedBy,
  sessionId: texts.form.session,
  chatId: texts.form.chat,
};

/** All that a rule says, with its preview before it is saved. */
export function RuleForm({
  title,
  save,
  start,
  onSave,
  onClose,
}: {
  title: string;
  save: string;
  start: RuleFields;
  /** Rejects if the rule was not saved. */
  onSave: (draft: RuleDraft, isConfirmed: boolean) => Promise<void>;
  onClose: () => void;
}) {
  const id = useId();
  const { toasts } = useUi();
  const heading = useRef<HTMLHeadingElement>(null);
  const [fields, setFields] = useState(start);
  const [isConfirming, setConfirming] = useState(false);
  const change = (changes: Partial<RuleFields>): void => setFields({ ...fields, ...changes });
  // What is complete is previewed; what is not says why once somebody wants to save it.
  const read = toRuleDraft(fields, new Date());
  const draft = 'draft' in read ? read.draft : null;
  const preview = useDraftPreview(draft);
  const [isTried, setTried] = useState(false);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  useKey('Escape', onClose, { isFirst: true });
  const saving = useMutation({
    mutationFn: async (isConfirmed: boolean) => draft !== null && onSave(draft, isConfirmed),
    onSuccess: () => toasts.show(texts.form.saved),
    onError: (error, isConfirmed) => setConfirming(!isConfirmed && isContradiction(error)),
  });
  const submit = (): void => {
    setTried(true);
    if (draft === null || saving.isPending) return;
    if ((preview.data?.contradictions.length ?? 0) > 0) setConfirming(true);
    else saving.mutate(false);
  };
  const problem = isTried && 'problem' in read ? read.problem : null;
  return (
    <div className="flex h-full flex-col">
      <header className="flex shrink-0 items-center gap-2 border-b border-line px-4 py-2 lg:px-6">
        <BackButton onClick={onClose} />
        <h1 ref={heading} tabIndex={-1} className="min-h-9 flex-1 content-center font-semibold outline-none">
          {title}
        </h1>
      </header>
      <form
        id={id}
        className="min-h-0 flex-1 space-y-5 overflow-y-auto px-4 py-4 text-sm lg:px-6"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className="max-w-2xl space-y-5">
          <div className="space-y-1">
            <SegmentedControl<Effect>
              label={texts.form.effect}
              value={fields.effect}
              options={EFFECTS.toReversed()
                .filter((effect) => effect !== 'allow' || fields.tool !== '*')
                .map((value) => ({ value, name: texts.form.effects[value] }))}
              onChange={(effect) => change({ effect })}
            />
            <p className="text-xs text-muted">{texts.form.effectHints[fields.effect]}</p>
          </div>
          <label htmlFor={`${id}-tool`} className="block space-y-1">
            <span className="font-medium">{texts.form.tool}</span>
            <select
              id={`${id}-tool`}
              value={fields.tool}
              onChange={({ target }) =>
                setFields(withTool(fields, TOOLS.find((one) => one === target.value) ?? 'Bash'))
              }
              className="field block w-full sm:w-72"
            >
              {TOOLS.map((tool) => (
                <option key={tool} value={tool}>
                  {texts.form.tools[tool]}
                </option>
              ))}
            </select>
          </label>
          <MatchField fields={fields} problem={problem} onChange={change} />
          <fieldset className="space-y-2">
            <legend className="font-medium">{texts.form.scope}</legend>
            <p className="text-xs text-muted">{texts.form.scopeHint}</p>
            <div className="grid gap-2 sm:grid-cols-2">
              {SCOPE_FIELDS.map((field) => (
                <label key={field} htmlFor={`${id}-${field}`} className="block space-y-0.5">
                  <span className="text-xs text-muted">{SCOPE_NAMES[field]}</span>
                  <input
                    id={`${id}-${field}`}
                    value={fields.scope[field]}
                    onChange={({ target }) => change({ scope: { ...fields.scope, [field]: target.value } })}
                    className="field w-full"
                  />
                </label>
              ))}
            </div>
          </fieldset>
          <RuleTerms
            terms={{ time: fields.time, mode: fields.mode }}
            hasOwnEnd={start.time === null}
            onChange={({ time, mode }) => change({ time, mode })}
          />
          <label htmlFor={`${id}-reason`} className="block space-y-1">
            <span className="font-medium">{texts.form.reason}</span>
            <input
              id={`${id}-reason`}
              value={fields.reason}
              onChange={({ target }) => change({ reason: target.value })}
              className="field w-full"
            />
          </label>
          <Examples fields={fields} onChange={change} />
          {saving.isError && !isConfirming && (
            <Notice tone="danger" icon="warning" role="alert" title={texts.form.failed}>
              <p>
                <TickedText text={toRuleMessage(saving.error)} />
              </p>
            </Notice>
          )}
        </div>
      </form>
      {draft !== null && <DraftPreview draft={draft} preview={preview} />}
      <footer className="flex shrink-0 gap-2 border-t border-line bg-canvas px-4 py-2.5 pb-[calc(env(safe-area-inset-bottom)+0.625rem)] lg:px-6">
        <Button className="max-sm:flex-1" onClick={onClose}>
          {texts.form.cancel}
        </Button>
        <Button type="submit" form={id} look="primary" className="ml-auto max-sm:flex-1" disabled={saving.isPending}>
          {saving.isPending ? texts.form.saving : save}
        </Button>
      </footer>
      {isConfirming && (
        <ContradictionDialog
          items={preview.data?.contradictions ?? []}
          onConfirm={async () => void (await saving.mutateAsync(true))}
          onClose={() => setConfirming(false)}
        />
      )}
    </div>
  );
}

/** The examples that a rule has. One that no longer fits can be taken out. */
function Examples({ fields, onChange }: { fields: RuleFields; onChange: (changes: Partial<RuleFields>) => void }) {
  const { examples } = fields;
  const names = { match: texts.details.mustMatch, notMatch: texts.details.leavesAlone } as const;
  return (['match', 'notMatch'] as const)
    .filter((sort) => examples[sort].length > 0)
    .map((sort) => (
      <fieldset key={sort} className="space-y-1">
        <legend className="font-medium">{names[sort]}</legend>
        <ul className="divide-y divide-line rounded-md border border-line">
          {examples[sort].map((example) => (
            <li key={example} className="flex items-center gap-2 py-0.5 pr-1 pl-2.5">
              <bdi className="min-w-0 flex-1 font-mono text-xs [overflow-wrap:anywhere]">{example}</bdi>
              <IconButton
                label={texts.form.takeOut(example)}
                onClick={() =>
                  onChange({ examples: { ...examples, [sort]: examples[sort].filter((one) => one !== example) } })
                }
              >
                <Icon name="close" />
              </IconButton>
            </li>
          ))}
        </ul>
      </fieldset>
    ));
}
