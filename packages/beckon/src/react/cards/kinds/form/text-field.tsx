import type { FieldOf, TextFormat } from '../../../../presentation/index.ts';
import { TextArea } from '../parts/text-area.tsx';
import { describeInput, FieldFrame } from './field-frame.tsx';
import type { FieldProps } from './form-context.ts';

const INPUT_TYPES: Record<Exclude<TextFormat, 'lines'>, string> = {
  text: 'text',
  email: 'email',
  url: 'url',
  date: 'date',
  'date-time': 'datetime-local',
  time: 'time',
};

/** A text of one or several lines, or a date or time. */
export function TextField(props: FieldProps<FieldOf<'text'>, string>) {
  const { field, draft, onChange } = props;
  const isClock = field.format === 'date' || field.format === 'date-time' || field.format === 'time';
  return (
    <FieldFrame {...props}>
      {field.format === 'lines' ? (
        <TextArea
          {...describeInput(props)}
          className="min-h-24"
          value={draft}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      ) : (
        <input
          {...describeInput(props)}
          type={INPUT_TYPES[field.format]}
          dir={isClock ? undefined : 'auto'}
          value={draft}
          autoComplete="off"
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          className={`field w-full text-sm ${isClock ? 'max-w-56' : ''}`}
        />
      )}
    </FieldFrame>
  );
}
