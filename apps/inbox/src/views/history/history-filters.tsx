import { KIND_NAMES, STATUS_NAMES } from 'beckon/presentation';
import { KINDS, STATUSES } from 'beckon/protocol';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useKey } from '../../keyboard/use-key.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ViewHeader } from '../../ui/view-header.tsx';
import { texts } from './texts.ts';

/** How long after the last keystroke a search begins. */
const TYPING_MS = 250;
const FILTERS = ['text', 'status', 'kind', 'chat', 'session'];

/** The search and its filters, which are part of the address. */
export function HistoryFilters() {
  const [params, setParams] = useSearchParams();
  const search = useRef<HTMLInputElement>(null);
  useKey('/', () => search.current?.focus());
  const set = (name: string, value: string): void =>
    setParams(
      (before) => {
        if (value === '') before.delete(name);
        else before.set(name, value);
        before.delete('open');
        return before;
      },
      { replace: true },
    );
  return (
    <ViewHeader
      title={texts.title}
      aside={
        <search className="mt-1.5 space-y-2 pb-1">
          <div className="relative">
            <Icon name="search" className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-muted" />
            <Typed
              inputRef={search}
              label={texts.searchLabel}
              placeholder={texts.search}
              value={params.get('text') ?? ''}
              onChange={(value) => set('text', value)}
              className="field w-full pl-8 text-sm"
            />
          </div>
          <div className="grid grid-cols-2 gap-2">
            <Choice
              label={texts.status}
              value={params.get('status') ?? ''}
              options={STATUSES.map((value) => ({ value, name: STATUS_NAMES[value] }))}
              onChange={(value) => set('status', value)}
            />
            <Choice
              label={texts.kind}
              value={params.get('kind') ?? ''}
              options={KINDS.map((value) => ({ value, name: KIND_NAMES[value] }))}
              onChange={(value) => set('kind', value)}
            />
            <Typed
              label={texts.chat}
              placeholder={texts.chat}
              value={params.get('chat') ?? ''}
              onChange={(value) => set('chat', value)}
              className="field w-full min-w-0 text-xs"
            />
            <Typed
              label={texts.session}
              placeholder={texts.session}
              value={params.get('session') ?? ''}
              onChange={(value) => set('session', value)}
              className="field w-full min-w-0 text-xs"
            />
          </div>
        </search>
      }
    >
      {FILTERS.some((name) => params.has(name)) && (
        <Button
          look="quiet"
          size="small"
          className="ml-auto"
          onClick={() => {
            setParams({}, { replace: true });
            search.current?.focus();
          }}
        >
          {texts.clear}
        </Button>
      )}
    </ViewHeader>
  );
}

function Choice({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string;
  options: readonly { value: string; name: string }[];
  onChange: (value: string) => void;
}) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="field w-full min-w-0 text-xs"
    >
      <option value="">{`${label}: ${texts.any}`}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.name}
        </option>
      ))}
    </select>
  );
}

// Reports typed text after a short pause, so not every letter starts a search.
function Typed({
  label,
  placeholder,
  value,
  onChange,
  className,
  inputRef,
}: {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  className: string;
  inputRef?: React.RefObject<HTMLInputElement | null>;
}) {
  const [typed, setTyped] = useState(value);
  const [told, setTold] = useState(value);
  // Something else changed the address, such as the back button.
  if (value !== told) {
    setTold(value);
    setTyped(value);
  }
  const tell = useEffectEvent((text: string) => {
    setTold(text);
    onChange(text);
  });
  useEffect(() => {
    if (typed === told) return;
    const timer = setTimeout(() => tell(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, told]);
  return (
    <input
      ref={inputRef}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={typed}
      maxLength={200}
      onChange={(event) => setTyped(event.target.value)}
      className={className}
    />
  );
}
