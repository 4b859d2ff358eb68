import { accordion } from './accordion.ts';
import { card } from './card.ts';
import { chart } from './chart.ts';
import { citation } from './citation.ts';
import type { Registry } from './component.ts';
import { embed } from './embed.ts';
import { form } from './form.ts';
import { image } from './image.ts';
import { markdown } from './markdown.ts';
import { suggestions } from './suggestions.ts';
import { table } from './table.ts';
import { tabs } from './tabs.ts';
import { timeline } from './timeline.ts';

/** The components that ship with Beckon. */
export const COMPONENTS = {
  card,
  table,
  timeline,
  accordion,
  tabs,
  markdown,
  image,
  embed,
  citation,
  suggestions,
  form,
  chart,
} as const satisfies Registry;

/** The name of a component that ships with Beckon. */
export type ComponentName = keyof typeof COMPONENTS;

/** A choice of components: names of shipped ones, or a registry with your own. */
export type Components = readonly string[] | Registry;

/** The registry for a choice of components. Throws on an unknown name. */
export function toRegistry(components?: Components, known: Registry = COMPONENTS): Registry {
  if (components === undefined) return known;
  if (!isNames(components)) return components;
  return Object.fromEntries(
    components.map((name) => {
      const component = Object.hasOwn(known, name) ? known[name] : undefined;
      if (component === undefined) {
        throw new TypeError(
          `There is no component ${JSON.stringify(name)}. There are: ${Object.keys(known).join(', ')}.`,
        );
      }
      return [name, component];
    }),
  );
}

function isNames(components: Components): components is readonly string[] {
  return Array.isArray(components);
}
