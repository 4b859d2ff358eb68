import { useMemo } from 'react';
import { checkPart } from '../components/check-tree.ts';
import { Boundary } from './boundary.tsx';
import { useSurroundings } from './context.ts';
import type { PartEvent } from './events.ts';
import { MarkdownText } from './markdown/markdown-text.tsx';
import { checkPartialPart } from './partial.ts';
import { PendingBox, ProblemBox } from './problem-box.tsx';
import { texts } from './texts.ts';

/** The content of a slot: text as Markdown, or components. Own components draw their slots with it. */
export function Content({ value }: { value: unknown }) {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'string') return <MarkdownText text={value} />;
  return Array.isArray(value) ? <Stack items={value} /> : <Part json={value} />;
}

/** Parts below each other. An array among them is a row. */
export function Stack({ items }: { items: readonly unknown[] }) {
  return (
    <div className="beckon-stack">
      {items.map((item, index) =>
        Array.isArray(item) ? <Row key={index} items={item} /> : <Part key={index} json={item} />,
      )}
    </div>
  );
}

/** Parts side by side, as far as there is room. An array among them is a stack. */
function Row({ items }: { items: readonly unknown[] }) {
  return (
    <div className="beckon-row">
      {items.map((item, index) =>
        Array.isArray(item) ? <Stack key={index} items={item} /> : <Part key={index} json={item} />,
      )}
    </div>
  );
}

/** One component, or its problems. */
function Part({ json }: { json: unknown }) {
  const { registry, views, onCallback, isPartial } = useSurroundings();
  const checked = useMemo(
    () => (isPartial ? checkPartialPart(json, registry) : checkPart(json, registry)),
    [json, registry, isPartial],
  );
  if (!checked.ok && isPartial) return <PendingBox />;
  if (!checked.ok) {
    const lines = checked.problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    return <ProblemBox title={texts.broken(checked.type)} lines={lines} />;
  }
  const { type, key, props } = checked;
  const View = Object.hasOwn(views, type) ? views[type] : undefined;
  if (View === undefined) return <ProblemBox title={texts.broken(type)} lines={[`there is no view for "${type}"`]} />;
  const report =
    onCallback &&
    (({ action, data }: PartEvent) => {
      // Removes what JSON cannot express, such as `undefined`.
      const plain = JSON.parse(JSON.stringify({ ...data, ...(key !== undefined && !('id' in data) && { id: key }) }));
      onCallback({ action, data: plain, component: type });
    });
  return (
    <Boundary
      of={json}
      fallback={(error) => (
        <ProblemBox
          title={texts.broken(type)}
          lines={[`${texts.crashed}: ${error instanceof Error ? error.message : String(error)}`]}
        />
      )}
    >
      <View {...props} onCallback={report} />
    </Boundary>
  );
}
