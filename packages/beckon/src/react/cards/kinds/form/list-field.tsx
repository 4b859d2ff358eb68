import type { FieldOf } from '../../../../presentation/index.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { createDraft, type Draft } from './draft.ts';
import { FieldFrame, summarize } from './field-frame.tsx';
import { toFieldPath } from './field-path.ts';
import { focusInput } from './focus-input.ts';
import { type FieldProps, toInputId } from './form-context.ts';
import { texts } from './texts.ts';

/** A list that grows and shrinks. */
export function ListField(props: FieldProps<FieldOf<'list'>, Draft[]>) {
  const { field, draft, path, name, context, onChange } = props;
  const title = summarize(field, name);
  const isFull = field.maxItems !== undefined && draft.length >= field.maxItems;
  const add = (): void => {
    onChange([...draft, createDraft(field.item)]);
    requestAnimationFrame(() => focusInput(toInputId(context, toFieldPath(path, draft.length))));
  };
  return (
    <FieldFrame {...props} isGroup>
      {draft.map((item, index) => (
        <div key={index} className="flex items-start gap-1">
          <div className="min-w-0 flex-1">
            {context.draw({
              field: field.item,
              draft: item,
              path: toFieldPath(path, index),
              name: texts.item(title, index + 1),
              required: true,
              isBare: true,
              context,
              onChange: (changed) => onChange(draft.with(index, changed)),
            })}
          </div>
          <IconButton
            label={texts.remove(title, index + 1)}
            disabled={context.isDisabled || draft.length <= field.minItems}
            onClick={() => onChange(draft.toSpliced(index, 1))}
          >
            <Icon name="close" />
          </IconButton>
        </div>
      ))}
      <Button size="small" disabled={context.isDisabled || isFull} onClick={add} aria-label={texts.addTo(title)}>
        {texts.add}
      </Button>
    </FieldFrame>
  );
}
