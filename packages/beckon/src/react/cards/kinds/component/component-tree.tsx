import { toVisibleLine } from '../../../../presentation/index.ts';
import { isObject, type Json, type JsonObject, ownText } from '../../../../protocol/index.ts';
import { Badge } from '../../ui/badge.tsx';
import { JsonView } from '../parts/json-view.tsx';
import { texts } from './texts.ts';

/** Components from an agent, as text. */
export function ComponentTree({ tree }: { tree: Json }) {
  return (
    <section aria-label={texts.content} className="min-w-0 space-y-2">
      <Nodes nodes={Array.isArray(tree) ? tree : [tree]} />
    </section>
  );
}

/** More siblings than this are shown as plain values. */
const MOST_NODES = 100;

function Nodes({ nodes, level = 0 }: { nodes: readonly Json[]; level?: number }) {
  if (level > 6 || nodes.length > MOST_NODES) return <JsonView value={[...nodes]} />;
  return nodes.map((node, index) => (
    <div key={index} className="min-w-0 rounded-md border border-line bg-surface px-3 py-2.5">
      {isObject(node) ? <Component node={node} level={level} /> : <Other node={node} level={level} />}
    </div>
  ));
}

function Other({ node, level }: { node: Json; level: number }) {
  return Array.isArray(node) ? <Nodes nodes={node} level={level + 1} /> : <JsonView value={node} />;
}

function Component({ node, level }: { node: JsonObject; level: number }) {
  const { type, title, children, ...fields } = node;
  const hasType = typeof type === 'string';
  const hasTitle = typeof title === 'string' && title !== '';
  const rest: JsonObject = {
    ...(!hasType && type !== undefined && { type }),
    ...(!hasTitle && title !== undefined && { title }),
    ...fields,
    ...(!Array.isArray(children) && children !== undefined && { children }),
  };
  return (
    <div className="space-y-2">
      {(hasType || hasTitle) && (
        <p className="flex flex-wrap items-baseline gap-2 text-sm font-medium [overflow-wrap:anywhere]">
          {hasType && <Badge>{toVisibleLine(type, 40, 'code')}</Badge>}
          {hasTitle && toVisibleLine(ownText(node, 'title') ?? '', 500)}
        </p>
      )}
      {Object.keys(rest).length > 0 && <JsonView value={rest} />}
      {Array.isArray(children) && <Nodes nodes={children} level={level + 1} />}
    </div>
  );
}
