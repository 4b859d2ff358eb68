import { type CheckedPart, checkPart } from '../components/check-tree.ts';
import type { Registry } from '../components/component.ts';
import { isPart } from '../components/tree.ts';

/** Placeholders for props that the model has not written yet. */
const NOT_YET: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  table: { attributes: [], items: [] },
  timeline: { events: [] },
  accordion: { items: [] },
  tabs: { tabs: [] },
  markdown: { content: '' },
  citation: { title: '' },
  suggestions: { suggestions: [] },
  form: { fields: [] },
  chart: { labels: [], series: [] },
};

/** Checks a part that is still being written. Missing lists are allowed, and incomplete entries are left out. */
export function checkPartialPart(json: unknown, registry: Registry): CheckedPart {
  if (!isPart(json)) return checkPart(json, registry);
  const filled = { ...(Object.hasOwn(NOT_YET, json.type) ? NOT_YET[json.type] : undefined), ...json };
  const checked = checkPart(filled, registry);
  if (checked.ok) return checked;
  const broken = checked.problems.map(({ path }) => /^(\w+)\[(\d+)\]/.exec(path));
  const whole = Object.entries(filled).map(([name, value]) => [
    name,
    Array.isArray(value)
      ? value.filter((_, at) => !broken.some((hit) => hit?.[1] === name && hit[2] === `${at}`))
      : value,
  ]);
  return checkPart(Object.fromEntries(whole), registry);
}
