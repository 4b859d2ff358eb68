import { type ComponentType, type ReactNode, useMemo } from 'react';
import * as z from 'zod/mini';
import { checkTree } from '../components/check-tree.ts';
import type { Component, Registry } from '../components/component.ts';
import { COMPONENTS } from '../components/registry.ts';
import { MOST_DEPTH, MOST_PARTS } from '../components/tree.ts';
import { type Surroundings, SurroundingsContext } from './context.ts';
import type { OnCallback } from './events.ts';
import { Stack } from './nodes.tsx';
import { ProblemBox } from './problem-box.tsx';
import { texts } from './texts.ts';
import { VIEWS } from './views/index.ts';

/** The React view of an own component, with the schema for its props, as from `defineComponent` or `readCatalogue`. */
export interface OwnComponent extends Partial<Component> {
  // oxlint-disable-next-line typescript/no-explicit-any -- its schema says what its props are
  view: ComponentType<any>;
}

/**
 * Own components by `type`. A React component alone takes any props; one with a `schema` is checked like the shipped
 * ones. Under a shipped name it replaces the look, and keeps the checks unless it has its own.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- see OwnComponent
export type OwnComponents = Readonly<Record<string, ComponentType<any> | OwnComponent>>;

/** The props of `<AgentTree>`. */
export interface AgentTreeProps {
  /** What the agent sent. It is untrusted: something is drawn for any value. */
  json: unknown;
  components?: OwnComponents | undefined;
  /** Without it, controls that send are disabled. */
  onCallback?: OnCallback | undefined;
  /** Whether the tree is still being written. Default false. */
  isPartial?: boolean;
}

/** Draws what an agent sent. `onCallback` gets what the person does with it. */
export function render(json: unknown, components?: OwnComponents, onCallback?: OnCallback): ReactNode {
  return <AgentTree json={json} components={components} onCallback={onCallback} />;
}

/** The same as `render`, as a component. */
export function AgentTree({ json, components, onCallback, isPartial = false }: AgentTreeProps) {
  const { registry, views } = useMemo(() => join(components), [components]);
  const surroundings = useMemo<Surroundings>(
    () => ({ registry, views, onCallback, isPartial }),
    [registry, views, onCallback, isPartial],
  );
  const { items, problems } = useMemo(() => limit(json, registry), [json, registry]);
  return (
    <div className="beckon" aria-busy={isPartial || undefined}>
      <SurroundingsContext value={surroundings}>
        <Stack items={items} />
        {problems.length > 0 && <ProblemBox title={texts.tooMuch} lines={problems} />}
      </SurroundingsContext>
    </div>
  );
}

const UNCHECKED: Component = { description: '', schema: z.looseObject({}) };

function join(own: OwnComponents = {}): Pick<Surroundings, 'registry' | 'views'> {
  const registry: Record<string, Component> = { ...COMPONENTS };
  const views: Record<string, Surroundings['views'][string]> = { ...VIEWS };
  for (const [name, component] of Object.entries(own)) {
    const { view, ...given } = isOwn(component) ? component : { view: component };
    // Changing only the look of a shipped component keeps its checks.
    registry[name] = { ...(registry[name] ?? UNCHECKED), ...given };
    views[name] = view;
  }
  return { registry, views };
}

// A React component can be an object too: memo() and lazy() return one.
function isOwn(component: OwnComponents[string]): component is OwnComponent {
  return typeof component === 'object' && 'view' in component;
}

/** Cuts a tree that is too large. One of usual size is drawn without this check. */
function limit(json: unknown, registry: Registry): { items: readonly unknown[]; problems: string[] } {
  const items = Array.isArray(json) ? json : json === undefined || json === null ? [] : [json];
  if (isUsual(items)) return { items, problems: [] };
  const { tree, problems } = checkTree(items, registry);
  return { items: tree, problems: problems.map(({ path, message }) => `${path}: ${message}`) };
}

function isUsual(items: readonly unknown[]): boolean {
  let level: unknown[] = [items];
  let parts = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MOST_DEPTH) return false;
    const inside: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      if ('type' in value) parts += 1;
      for (const inner of Array.isArray(value) ? value : Object.values(value)) inside.push(inner);
    }
    if (parts > MOST_PARTS) return false;
    level = inside;
  }
  return true;
}
