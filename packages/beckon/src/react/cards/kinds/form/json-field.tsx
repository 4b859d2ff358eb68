import type { FieldOf } from '../../../../presentation/index.ts';
import { toEditableJson } from '../../../../presentation/index.ts';
import { PlainText } from '../../agent-text/plain-text.tsx';
import { TextArea } from '../parts/text-area.tsx';
import { texts as partTexts } from '../parts/texts.ts';
import { describeInput, FieldFrame } from './field-frame.tsx';
import type { FieldProps } from './form-context.ts';
import { texts } from './texts.ts';

/** A part of a schema without a field of its own: entered as JSON, beside its schema. */
export function JsonField(props: FieldProps<FieldOf<'json'>, string>) {
  const { field, draft, name, onChange } = props;
  return (
    <FieldFrame {...props} name={name === '' ? partTexts.json.label : name} hint={texts.json}>
      <TextArea
        {...describeInput(props, texts.json)}
        dir="ltr"
        spellCheck={false}
        value={draft}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        className="min-h-24 font-mono text-xs leading-5"
      />
      {Object.keys(field.schema).length > 0 && (
        <details className="text-xs text-muted">
          <summary className="w-fit rounded">{texts.schema}</summary>
          <div className="mt-1 max-h-72 overflow-y-auto rounded-md border border-line bg-canvas px-3 py-2 text-ink">
            <PlainText text={toEditableJson(field.schema)} />
          </div>
        </details>
      )}
    </FieldFrame>
  );
}
