import 'beckon/react/style.css';
import { render } from 'beckon/react';
import { createElement, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import type { Samples } from '../samples.ts';

/** An element as data, from which the same elements are made by hand. */
interface Shape {
  tag: string;
  props: Record<string, unknown>;
  children: (Shape | string)[];
}

const host = document.querySelector('#root') as Element;
const ignore = (): void => undefined;

globalThis.measureDraw = async ({ rounds, components }) => {
  const json = createTree(components);
  const shape = await readShape(json);
  const samples: Samples = { ours: [], plain: [], elements: count(shape) };
  for (let round = -5; round < rounds; round += 1) {
    const ours = await time(() => render(structuredClone(json), undefined, ignore));
    const plain = await time(() => toElement(shape, 0));
    // The first rounds are for the compiler.
    if (round < 0) continue;
    samples.ours.push(ours);
    samples.plain.push(plain);
  }
  return samples;
};

/** Draws once and keeps what it was, without what only a browser adds. */
async function readShape(json: unknown): Promise<Shape> {
  const root = createRoot(host);
  flushSync(() => root.render(render(json, undefined, ignore)));
  const shape = toShape(host.firstElementChild as Element);
  await new Promise((resolve) => setTimeout(resolve, 500));
  root.unmount();
  return shape;
}

async function time(create: () => ReactNode): Promise<number> {
  const root = createRoot(host);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const start = performance.now();
  flushSync(() => root.render(create()));
  const took = performance.now() - start;
  root.unmount();
  return took;
}

/** Components of each kind that is drawn at once, in stacks and rows, as an agent might send them. */
function createTree(count: number): unknown[] {
  const kinds = [
    (n: number) => ({
      type: 'card',
      key: `c${n}`,
      title: `Card ${n}`,
      content: 'What it says',
      actions: ['Open', 'Close'],
    }),
    (n: number) => ({ type: 'card', title: `Figure ${n}`, content: `${n} %`, metadata: 'Updated 2 hours ago' }),
    (n: number) => ({ type: 'suggestions', key: `s${n}`, suggestions: ['Compare', 'Export', 'Forecast'] }),
    (n: number) => ({
      type: 'citation',
      title: `Source ${n}`,
      url: 'https://example.com',
      author: 'Ada',
      quote: 'Stable.',
    }),
    (n: number) => ({
      type: 'timeline',
      title: `Timeline ${n}`,
      events: [1, 2, 3].map((day) => ({ date: `${day} May`, title: `Step ${day}`, description: 'Done' })),
    }),
    (n: number) => ({
      type: 'table',
      title: `Table ${n}`,
      attributes: [
        { key: 'a', label: 'A' },
        { key: 'b', label: 'B' },
      ],
      items: [1, 2, 3].map((row) => ({ name: `Row ${row}`, attributes: { a: row, b: 'cell' } })),
    }),
    (n: number) => ({
      type: 'accordion',
      title: `Questions ${n}`,
      items: [
        { label: 'Why?', content: 'Because.', open: true },
        { label: 'How?', content: 'So.' },
      ],
    }),
    (n: number) => ({
      type: 'form',
      title: `Form ${n}`,
      fields: [
        { name: 'name', label: 'Name' },
        { name: 'yes', kind: 'checkbox' },
      ],
    }),
  ];
  const parts = Array.from({ length: count }, (_, at) => kinds[at % kinds.length]?.(at));
  return Array.from({ length: Math.ceil(count / 4) }, (_, at) => parts.slice(at * 4, at * 4 + 4)).flatMap((row, at) =>
    at % 2 === 0 ? [row] : row,
  );
}

function toShape(element: Element): Shape {
  const props = Object.fromEntries([...element.attributes].map(({ name, value }) => [toProp(name), value]));
  if (element instanceof HTMLButtonElement) props['onClick'] = ignore as never;
  if (element instanceof HTMLInputElement) Object.assign(props, { onChange: ignore });
  const children = [...element.childNodes].map((node) =>
    node instanceof Element ? toShape(node) : (node.textContent ?? ''),
  );
  return { tag: element.localName, props, children };
}

function count({ children }: Shape): number {
  return children.reduce<number>((sum, child) => sum + (typeof child === 'string' ? 0 : count(child)), 1);
}

function toProp(name: string): string {
  return { class: 'className', for: 'htmlFor', tabindex: 'tabIndex', novalidate: 'noValidate' }[name] ?? name;
}

function toElement({ tag, props, children }: Shape, key: number): ReactNode {
  const inside = children.map((child, at) => (typeof child === 'string' ? child : toElement(child, at)));
  return createElement(tag, { ...props, key }, ...inside);
}
