import { useState } from 'react';
import { toEditableJson } from '../../../../presentation/index.ts';
import { isObject, type Json } from '../../../../protocol/index.ts';
import { cutLayer, useFindingLayer } from '../../agent-text/findings.ts';
import { PlainText } from '../../agent-text/plain-text.tsx';
import { VisibleText } from '../../agent-text/visible-text.tsx';
import { Button } from '../../ui/button.tsx';
import { ShowMore } from './show-more.tsx';
import { texts } from './texts.ts';

/** Objects nested deeper than this are shown as JSON. */
const MOST_LEVELS = 6;
const FIRST_ENTRIES = 40;
const FIRST_TEXT_LINES = 12;
const FIRST_TEXT_CHARS = 2_000;

/** Any JSON value in readable form. With `path`, where it is in the request, what is risky in it is marked. */
export function JsonView({ value, level = 0, path }: { value: Json; level?: number; path?: Path }) {
  if (typeof value === 'string') return <Text text={value} path={path} />;
  if (typeof value !== 'object' || value === null) return <code className="font-mono text-xs">{String(value)}</code>;
  if (level > MOST_LEVELS) return <PlainText text={toEditableJson(value)} />;
  const entries = Array.isArray(value)
    ? value.map((item, index): Entry => [texts.json.item(index + 1), item, String(index)])
    : Object.entries(value).map(([name, item]): Entry => [name, item, name]);
  if (entries.length === 0) {
    return (
      <span className="text-xs text-muted">
        {Array.isArray(value) ? texts.json.empty.array : texts.json.empty.object}
      </span>
    );
  }
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)) {
    return <PlainList items={value} path={path} />;
  }
  return <Entries entries={entries} level={level} path={path} />;
}

type Path = readonly string[] | undefined;
/** What is shown for its name, the value, and its name in the request. */
type Entry = readonly [label: string, value: Json, name: string];

function Entries({ entries, level, path }: { entries: readonly Entry[]; level: number; path: Path }) {
  const [count, setCount] = useState(FIRST_ENTRIES);
  const rest = entries.length - count;
  return (
    <div className="min-w-0 space-y-2">
      <dl className="space-y-2">
        {entries.slice(0, count).map(([label, item, name], index) => (
          <div key={index} className={isNested(item) ? '' : 'sm:flex sm:items-baseline sm:gap-3'}>
            <dt className="shrink-0 text-xs leading-5 font-medium [overflow-wrap:anywhere] text-muted sm:max-w-1/2 sm:min-w-28">
              <VisibleText text={label} place="code" />
            </dt>
            <dd className={isNested(item) ? 'mt-1 border-l border-line pl-3' : 'min-w-0 flex-1'}>
              <JsonView value={item} level={level + 1} path={path && [...path, name]} />
            </dd>
          </div>
        ))}
      </dl>
      <ShowMore rest={rest} onMore={() => setCount(count + FIRST_ENTRIES * 5)} />
    </div>
  );
}

function PlainList({ items, path }: { items: readonly Json[]; path: Path }) {
  const [count, setCount] = useState(FIRST_ENTRIES);
  const rest = items.length - count;
  if (isShort(items)) {
    return (
      <ul className="flex flex-wrap gap-1.5 text-sm">
        {items.map((item, index) => (
          <li key={index} className="rounded border border-line bg-canvas px-1.5">
            <JsonView value={item} level={MOST_LEVELS} path={path && [...path, String(index)]} />
          </li>
        ))}
      </ul>
    );
  }
  return (
    <div className="space-y-2">
      <ul className="list-disc pl-4 text-sm marker:text-muted">
        {items.slice(0, count).map((item, index) => (
          <li key={index}>
            <JsonView value={item} level={MOST_LEVELS} path={path && [...path, String(index)]} />
          </li>
        ))}
      </ul>
      <ShowMore rest={rest} onMore={() => setCount(count + FIRST_ENTRIES * 5)} />
    </div>
  );
}

function Text({ text, path }: { text: string; path: Path }) {
  const findings = useFindingLayer(text, path);
  if (text === '') return <span className="text-xs text-muted">{texts.json.empty.text}</span>;
  if (text.includes('\n') || text.length > 300) return <LongText text={text} path={path} />;
  return (
    <span dir="auto" className="text-sm [overflow-wrap:anywhere]">
      <VisibleText text={text} place="code" findings={findings} />
    </span>
  );
}

/** The first lines of a long text, and all of it on demand. */
function LongText({ text, path }: { text: string; path: Path }) {
  const [isOpen, setOpen] = useState(false);
  const findings = useFindingLayer(text, path);
  const lines = text.split('\n');
  const short = lines.slice(0, FIRST_TEXT_LINES).join('\n').slice(0, FIRST_TEXT_CHARS);
  // What is risky must not be folded away.
  const isRisky = cutLayer(findings, short.length, text.length) !== undefined;
  // Hiding a little would take as much room as showing it.
  const isLong = lines.length > 1.5 * FIRST_TEXT_LINES || text.length > 1.25 * FIRST_TEXT_CHARS;
  const isFolded = isLong && !isOpen && !isRisky;
  return (
    <div className="space-y-1 rounded-md border border-line bg-canvas px-3 py-2">
      <PlainText text={isFolded ? `${short}…` : text} {...(path !== undefined && { path })} />
      {isFolded && (
        <Button size="small" onClick={() => setOpen(true)}>
          {texts.json.all(lines.length, text.length)}
        </Button>
      )}
    </div>
  );
}

function isShort(items: readonly Json[]): boolean {
  return items.length <= 12 && JSON.stringify(items).length <= 200;
}

function isNested(value: Json): boolean {
  if (isObject(value)) return Object.keys(value).length > 0;
  return Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null);
}
