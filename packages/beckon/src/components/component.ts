import * as z from 'zod/mini';

/** Describes a component to models and to readers of the code. */
export interface Component<Props extends z.ZodMiniType = z.ZodMiniType> {
  /** One sentence for the model: what it shows and when to choose it. */
  readonly description: string;
  /** The shape of its props. Other fields are dropped. */
  readonly schema: Props;
  /** The props that hold other components, written like `content` or `items[].content`. */
  readonly slots?: readonly string[];
  /** What a person can do with it: each action, and what the `data` of its event has. */
  readonly events?: Readonly<Record<string, string>>;
}

/** Components by their `type`. Add your own with `{ ...COMPONENTS, name: … }`. */
export type Registry = Readonly<Record<string, Component>>;

/** The descriptions of fields, for the instructions and the JSON Schema. */
export const words: z.core.$ZodRegistry<Record<string, unknown>> = z.registry<Record<string, unknown>>();

/** Gives a field the description that a model reads. */
export function describe<Schema extends z.ZodMiniType>(schema: Schema, description: string): Schema {
  const own = z.clone(schema as never) as Schema;
  words.add(own, { ...words.get(schema), description });
  return own;
}

/** Declares a component, keeping the type of its props. */
export function defineComponent<Props extends z.ZodMiniType>(component: Component<Props>): Component<Props> {
  return component;
}
