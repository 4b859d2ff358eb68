import { useId } from 'react';
import type { FieldsProblem, MatchBy, RuleFields } from './rule-fields.ts';
import { texts } from './texts.ts';

const NAMES: Readonly<Record<Exclude<MatchBy, 'none'>, { name: string; hint: string; isLong: boolean }>> = {
  commands: { name: texts.form.commands, hint: texts.form.commandsHint, isLong: true },
  path: { name: texts.form.path, hint: texts.form.pathHint, isLong: false },
  domain: { name: texts.form.domain, hint: texts.form.domainHint, isLong: false },
  input: { name: texts.form.input, hint: texts.form.inputHint, isLong: true },
};

/** Which calls of the tool a rule means, in the words of that tool. */
export function MatchField({
  fields: { tool, toolName, by, match },
  problem,
  onChange,
}: {
  fields: RuleFields;
  problem: FieldsProblem | null;
  onChange: (changes: Partial<RuleFields>) => void;
}) {
  const id = useId();
  return (
    <>
      {tool === 'other' && (
        <TextField
          id={`${id}-tool`}
          name={texts.form.toolName}
          hint={texts.form.toolNameHint}
          value={toolName}
          problem={problem === 'toolName' ? texts.form.noTool : null}
          onChange={(value) => onChange({ toolName: value })}
        />
      )}
      {by !== 'none' && (
        <TextField
          id={`${id}-match`}
          {...NAMES[by]}
          value={match}
          problem={problem === 'input' ? texts.form.notJson : null}
          onChange={(value) => onChange({ match: value })}
        />
      )}
    </>
  );
}

function TextField({
  id,
  name,
  hint,
  value,
  problem,
  isLong = false,
  onChange,
}: {
  id: string;
  name: string;
  hint: string;
  value: string;
  problem: string | null;
  isLong?: boolean;
  onChange: (value: string) => void;
}) {
  const Field = isLong ? 'textarea' : 'input';
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="block font-medium">
        {name}
      </label>
      <Field
        id={id}
        value={value}
        spellCheck={false}
        autoCapitalize="off"
        aria-describedby={`${id}-hint`}
        aria-invalid={problem !== null}
        onChange={(event) => onChange(event.currentTarget.value)}
        className="field block w-full font-mono text-sm"
        {...(isLong && { rows: Math.min(10, Math.max(2, value.split('\n').length + 1)) })}
      />
      <p id={`${id}-hint`} className={problem === null ? 'text-xs text-muted' : 'text-xs text-danger'}>
        {problem ?? hint}
      </p>
    </div>
  );
}
