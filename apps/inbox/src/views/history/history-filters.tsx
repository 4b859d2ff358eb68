import { DECISION_NAMES, KIND_NAMES, toVisibleLine } from 'beckon/presentation';
import { DECISIONS, KINDS, type ListFilter } from 'beckon/protocol';
import { Button, buttonClasses, classNames, DECISION_LOOKS, Icon, useKey } from 'beckon/react/parts';
import { useId, useRef } from 'react';
import { useSearchParams } from 'wouter';
import { findBasePath } from '../../state/own-address.ts';
import { Chip } from '../../ui/chip.tsx';
import { TypedInput } from '../../ui/typed-input.tsx';
import { ViewHeader } from '../../ui/view-header.tsx';
import { texts } from './texts.ts';
import { hasFilter, toListFilter } from './to-list-filter.ts';
import { useCounts } from './use-counts.ts';

/** The search and its filters, which are part of the address, with how many requests each choice would show. */
export function HistoryFilters() {
  const [params, setParams] = useSearchParams();
  const search = useRef<HTMLInputElement>(null);
  const filter = toListFilter(params);
  const counts = useCounts(filter);
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
  const byDecision = new Map(counts.byDecision.map(({ decision, count }) => [decision, count]));
  return (
    <ViewHeader
      title={texts.title}
      aside={
        <search className="mt-1.5 space-y-2 pb-1">
          <div className="relative">
            <Icon name="search" className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-muted" />
            <TypedInput
              inputRef={search}
              label={texts.searchLabel}
              placeholder={texts.search}
              value={params.get('text') ?? ''}
              onChange={(value) => set('text', value)}
              className="field w-full py-1 pl-8 text-sm"
            />
          </div>
          <div role="group" aria-label={texts.decision} className="flex flex-wrap gap-1">
            {DECISIONS.filter((name) => byDecision.has(name) || filter.decision === name).map((name) => (
              <Chip
                key={name}
                count={byDecision.get(name) ?? 0}
                isOn={filter.decision === name}
                onChange={() => set('decision', filter.decision === name ? '' : name)}
              >
                <Icon name={DECISION_LOOKS[name].icon} className="mr-1 inline size-3" />
                {DECISION_NAMES[name]}
              </Chip>
            ))}
          </div>
          <div className="grid grid-cols-2 gap-2">
            <Choice
              label={texts.kind}
              value={params.get('kind') ?? ''}
              options={KINDS.map((value) => ({ value, name: KIND_NAMES[value] }))}
              onChange={(value) => set('kind', value)}
            />
            <Choice
              label={texts.person}
              value={params.get('person') ?? ''}
              options={counts.byPerson.map(({ person, count }) => ({
                value: person,
                name: toVisibleLine(person, 60),
                count,
              }))}
              onChange={(value) => set('person', value)}
            />
            <Choice
              label={texts.project}
              isWide={!params.has('session') && !params.has('chat')}
              value={params.get('project') ?? ''}
              options={counts.byProject.map(({ project, count }) => ({
                value: project,
                name: toVisibleLine(project, 60),
                count,
              }))}
              onChange={(value) => set('project', value)}
            />
            {(params.has('session') || params.has('chat')) && (
              <Narrowed params={params} onClear={(name) => set(name, '')} />
            )}
            <Day label={texts.from} value={params.get('from') ?? ''} onChange={(value) => set('from', value)} />
            <Day label={texts.to} value={params.get('to') ?? ''} onChange={(value) => set('to', value)} />
          </div>
        </search>
      }
    >
      <span className="ml-auto flex flex-wrap items-center gap-1">
        {hasFilter(filter) && (
          <Button
            look="quiet"
            size="small"
            onClick={() => {
              setParams({}, { replace: true });
              search.current?.focus();
            }}
          >
            {texts.clear}
          </Button>
        )}
        <ExportLinks filter={filter} />
      </span>
    </ViewHeader>
  );
}

// The browser saves the reply of the daemon, so even a large history takes no memory here.
function ExportLinks({ filter }: { filter: ListFilter }) {
  const toHref = (format: string): string =>
    `${findBasePath()}/v1/history/export?${new URLSearchParams({ ...(filter as Record<string, string>), format }).toString()}`;
  return (
    <>
      <a href={toHref('csv')} download className={buttonClasses('quiet', 'small')} aria-label={texts.exportCsv}>
        CSV
      </a>
      <a href={toHref('jsonl')} download className={buttonClasses('quiet', 'small')} aria-label={texts.exportLines}>
        JSON
      </a>
    </>
  );
}

// A session or a chat comes from a link, such as that of a session's timeline.
function Narrowed({ params, onClear }: { params: URLSearchParams; onClear: (name: string) => void }) {
  const name = params.has('session') ? 'session' : 'chat';
  return (
    <Button size="small" className="min-w-0" onClick={() => onClear(name)}>
      <bdi className="truncate">{texts.only[name](toVisibleLine(params.get(name) ?? '', 40))}</bdi>
      <Icon name="close" className="size-3" />
    </Button>
  );
}

function Day({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  const id = useId();
  return (
    <label htmlFor={id} className="flex min-w-0 items-center gap-1.5 text-xs text-muted">
      <span className="w-8 shrink-0">{label}</span>
      <input
        id={id}
        type="date"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="field w-full min-w-0 py-1 text-xs"
      />
    </label>
  );
}

function Choice({
  label,
  value,
  options,
  isWide = false,
  onChange,
}: {
  label: string;
  isWide?: boolean;
  value: string;
  options: readonly { value: string; name: string; count?: number }[];
  onChange: (value: string) => void;
}) {
  // What was chosen stays in the list, even if nothing is left of it.
  const all =
    value === '' || options.some((option) => option.value === value) ? options : [...options, { value, name: value }];
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={classNames('field w-full min-w-0 py-1 text-xs', isWide && 'col-span-2')}
    >
      <option value="">{`${label}: ${texts.any}`}</option>
      {all.map((option) => (
        <option key={option.value} value={option.value}>
          {option.count === undefined ? option.name : `${option.name} (${option.count})`}
        </option>
      ))}
    </select>
  );
}
