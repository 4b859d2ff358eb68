type Node = Record<string, unknown>;
type Schemas = Readonly<Record<string, Node>>;

const REF = '#/components/schemas/';
/** Each shape comes in two forms. That of requests has this at the end of its name. */
const INPUT = 'Input';

/** A reference to a named shape. */
export function toRef(name: string): { $ref: string } {
  return { $ref: REF + name };
}

/**
 * Leaves the named shapes that routes use, and one form of each, unless requests and replies differ. Says of a shape
 * with several kinds which field tells them apart.
 */
export function tidyComponents<Document extends object>(document: Document): Document {
  const { paths, components } = document as { paths?: unknown; components?: Node & { schemas?: Schemas } };
  const schemas = components?.schemas ?? {};
  const used = findUsed(paths, schemas);
  const apart = findApart(used, schemas);
  const toName = (name: string): string => toJoined(name, apart);
  const tidied = Object.fromEntries(
    [...used].toSorted().map((name) => [toName(name), renameRefs(schemas[name] ?? {}, toName)]),
  );
  for (const schema of Object.values(tidied)) addDiscriminator(schema, tidied);
  return { ...document, paths: renameRefs(paths, toName), components: { ...components, schemas: tidied } };
}

/** The names that the routes refer to, and those that these refer to in turn. */
function findUsed(paths: unknown, schemas: Schemas): Set<string> {
  const used = new Set<string>();
  const visit = (node: unknown): void => {
    renameRefs(node, (name) => {
      const isNew = !used.has(name);
      used.add(name);
      if (isNew) visit(schemas[name]);
      return name;
    });
  };
  visit(paths);
  return used;
}

/** The shapes whose forms differ: in themselves, or because a shape that they refer to is apart. */
function findApart(used: ReadonlySet<string>, schemas: Schemas): Set<string> {
  const apart = new Set<string>();
  const toText = (name: string): string => JSON.stringify(renameRefs(schemas[name], (ref) => toJoined(ref, apart)));
  const both = [...used].filter((name) => used.has(name + INPUT));
  for (let known = -1; known < apart.size; ) {
    known = apart.size;
    for (const name of both) if (toText(name) !== toText(name + INPUT)) apart.add(name);
  }
  return apart;
}

/** The name of a shape whose forms are one. */
function toJoined(name: string, apart: ReadonlySet<string>): string {
  const shape = name.endsWith(INPUT) ? name.slice(0, -INPUT.length) : name;
  return apart.has(shape) ? name : shape;
}

function renameRefs<Value>(value: Value, toName: (name: string) => string): Value {
  if (value === undefined) return value;
  return JSON.parse(JSON.stringify(value), (key, inner: unknown) => {
    const isRef = key === '$ref' && typeof inner === 'string' && inner.startsWith(REF);
    return isRef ? REF + toName(inner.slice(REF.length)) : inner;
  }) as Value;
}

function addDiscriminator(schema: Node, schemas: Schemas): void {
  const kinds = ((schema['oneOf'] ?? []) as { $ref?: string }[]).map(({ $ref = '' }) => ({
    $ref,
    fields: (schemas[$ref.slice(REF.length)]?.['properties'] ?? {}) as Record<string, Node>,
  }));
  const propertyName = Object.keys(kinds[0]?.fields ?? {}).find((field) =>
    kinds.every(({ fields }) => typeof fields[field]?.['const'] === 'string'),
  );
  if (propertyName === undefined) return;
  const mapping = Object.fromEntries(kinds.map(({ $ref, fields }) => [fields[propertyName]?.['const'], $ref]));
  schema['discriminator'] = { propertyName, mapping };
}
