import { toEditableJson } from 'beckon/presentation';
import { isObject, type Json } from 'beckon/protocol';
import { useState } from 'react';
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

/** Any JSON value in readable form. */
export function JsonView({ value, level = 0 }: { value: Json; level?: number }) {
  if (typeof value === 'string') return <Text text={value} />;
  if (typeof value !== 'object' || value === null) return <code className="font-mono text-xs">{String(value)}</code>;
  if (level > MOST_LEVELS) return <PlainText text={toEditableJson(value)} />;
  const entries = Array.isArray(value)
    ? value.map((item, index): [string, Json] => [texts.json.item(index + 1), item])
    : Object.entries(value);
  if (entries.length === 0) {
    return (
      <span className="text-xs text-muted">
        {Array.isArray(value) ? texts.json.empty.array : texts.json.empty.object}
      </span>
    );
  }
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)) {
    return <PlainList items={value} />;
  }
  return <Entries entries={entries} level={level} />;
}

function Entries({ entries, level }: { entries: readonly [string, Json][]; level: number }) {
  const [count, setCount] = useState(FIRST_ENTRIES);
  const rest = entries.length - count;
  return (
    <div className="min-w-0 space-y-2">
      <dl className="space-y-2">
        {entries.slice(0, count).map(([name, item], index) => (
          <div key={index} className={isNested(item) ? '' : 'sm:flex sm:items-baseline sm:gap-3'}>
            <dt className="shrink-0 text-xs leading-5 font-medium [overflow-wrap:anywhere] text-muted sm:max-w-1/2 sm:min-w-28">
              <VisibleText text={name} place="code" />
            </dt>
            <dd className={isNested(item) ? 'mt-1 border-l border-line pl-3' : 'min-w-0 flex-1'}>
              <JsonView value={item} level={level + 1} />
            </dd>
          </div>
        ))}
      </dl>
      <ShowMore rest={rest} onMore={() => setCount(count + FIRST_ENTRIES * 5)} />
    </div>
  );
}

function PlainList({ items }: { items: readonly Json[] }) {
  const [count, setCount] = useState(FIRST_ENTRIES);
  const rest = items.length - count;
  if (isShort(items)) {
    return (
      <ul className="flex flex-wrap gap-1.5 text-sm">
        {items.map((item, index) => (
          <li key={index} className="rounded border border-line bg-canvas px-1.5">
            <JsonView value={item} level={MOST_LEVELS} />
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
            <JsonView value={item} level={MOST_LEVELS} />
          </li>
        ))}
      </ul>
      <ShowMore rest={rest} onMore={() => setCount(count + FIRST_ENTRIES * 5)} />
    </div>
  );
}

function Text({ text }: { text: string }) {
  if (text === '') return <span className="text-xs text-muted">{texts.json.empty.text}</span>;
  if (text.includes('\n') || text.length > 300) return <LongText text={text} />;
  return (
    <span dir="auto" className="text-sm [overflow-wrap:anywhere]">
      <VisibleText text={text} place="code" />
    </span>
  );
}

/** The first lines of a long text, and all of it on demand. */
function LongText({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  const lines = text.split('\n');
  const short = lines.slice(0, FIRST_TEXT_LINES).join('\n').slice(0, FIRST_TEXT_CHARS);
  // Hiding a little would take as much room as showing it.
  const isLong = lines.length > 1.5 * FIRST_TEXT_LINES || text.length > 1.25 * FIRST_TEXT_CHARS;
  const isFolded = isLong && !isOpen;
  return (
    <div className="space-y-1 rounded-md border border-line bg-canvas px-3 py-2">
      <PlainText text={isFolded ? `${short}…` : text} />
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
