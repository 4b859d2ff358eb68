import { type ReactNode, useId } from 'react';
import type { FieldProblems, TermFields } from './terms.ts';
import { texts } from './texts.ts';
import { listTimeZones } from './time-zones.ts';

/** When somebody is told: at once or later, again before it expires, and not in quiet hours. */
export function WhenFields({
  fields,
  problems,
  onChange,
}: {
  fields: TermFields;
  problems: FieldProblems<TermFields>;
  onChange: (fields: TermFields) => void;
}) {
  const id = useId();
  const { isLater, isAgain, isQuiet, evenInSight } = fields;
  const set = (change: Partial<TermFields>): void => onChange({ ...fields, ...change });
  return (
    <>
      <fieldset className="space-y-2">
        <legend className="mb-1 font-medium">{texts.edit.when}</legend>
        <Choice type="radio" name={id} isOn={!isLater} onChange={() => set({ isLater: false })}>
          {texts.edit.atOnce}
        </Choice>
        <Minutes
          label={texts.edit.afterMinutes}
          value={fields.afterMinutes}
          problem={problems.afterMinutes}
          onChange={(afterMinutes) => set({ afterMinutes, isLater: true })}
        >
          <Choice type="radio" name={id} isOn={isLater} onChange={() => set({ isLater: true })}>
            {texts.edit.later}
          </Choice>
        </Minutes>
        <Minutes
          label={texts.edit.againMinutes}
          value={fields.againMinutes}
          problem={problems.againMinutes}
          onChange={(againMinutes) => set({ againMinutes, isAgain: true })}
        >
          <Choice type="checkbox" isOn={isAgain} onChange={(on) => set({ isAgain: on })}>
            {texts.edit.again}
          </Choice>
        </Minutes>
        <Choice type="checkbox" isOn={evenInSight} onChange={(on) => set({ evenInSight: on })}>
          {texts.edit.evenInSight}
        </Choice>
      </fieldset>
      <fieldset className="space-y-2">
        <legend className="sr-only">{texts.edit.quiet}</legend>
        <Choice type="checkbox" isOn={isQuiet} onChange={(on) => set({ isQuiet: on })}>
          <span className="font-medium">{texts.edit.quiet}</span>
        </Choice>
        {isQuiet && <QuietFields fields={fields} problem={problems.quietTo} onChange={set} />}
      </fieldset>
    </>
  );
}

function QuietFields({
  fields: { quietFrom, quietTo, timeZone },
  problem,
  onChange,
}: {
  fields: TermFields;
  problem: string | undefined;
  onChange: (change: Partial<TermFields>) => void;
}) {
  const id = useId();
  const toProps = (name: string, value: string) => ({
    id: `${id}-${name}`,
    type: 'time',
    value,
    'aria-invalid': problem !== undefined,
    'aria-describedby': `${id}-hint`,
    className: 'field w-full min-w-0',
  });
  return (
    <div className="space-y-2 pl-6.5">
      <div className="grid grid-cols-2 gap-2">
        <div>
          <label htmlFor={`${id}-from`}>{texts.edit.quietFrom}</label>
          <input {...toProps('from', quietFrom)} onChange={(event) => onChange({ quietFrom: event.target.value })} />
        </div>
        <div>
          <label htmlFor={`${id}-to`}>{texts.edit.quietTo}</label>
          <input {...toProps('to', quietTo)} onChange={(event) => onChange({ quietTo: event.target.value })} />
        </div>
      </div>
      <div>
        <label htmlFor={`${id}-zone`}>{texts.edit.timeZone}</label>
        <select
          id={`${id}-zone`}
          value={timeZone}
          onChange={(event) => onChange({ timeZone: event.target.value })}
          className="field w-full min-w-0"
        >
          {listTimeZones(timeZone).map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
        </select>
      </div>
      <p id={`${id}-hint`} className={`text-xs ${problem === undefined ? 'text-muted' : 'text-danger'}`}>
        {problem ?? texts.edit.quietHint}
      </p>
    </div>
  );
}

function Minutes({
  label,
  value,
  problem,
  children,
  onChange,
}: {
  label: string;
  value: string;
  problem: string | undefined;
  children: ReactNode;
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className="space-y-1">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {children}
        <input
          inputMode="decimal"
          aria-label={label}
          value={value}
          aria-invalid={problem !== undefined}
          {...(problem !== undefined && { 'aria-describedby': id })}
          onChange={(event) => onChange(event.target.value)}
          className="field w-16"
        />
        <span aria-hidden="true">{texts.edit.minutes}</span>
      </div>
      {problem !== undefined && (
        <p id={id} className="text-xs text-danger">
          {problem}
        </p>
      )}
    </div>
  );
}

function Choice({
  type,
  name,
  isOn,
  children,
  onChange,
}: {
  type: 'radio' | 'checkbox';
  name?: string;
  isOn: boolean;
  children: ReactNode;
  onChange: (isOn: boolean) => void;
}) {
  const id = useId();
  return (
    <label htmlFor={id} className="flex items-start gap-2.5">
      <input
        id={id}
        type={type}
        {...(name !== undefined && { name })}
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      {children}
    </label>
  );
}
