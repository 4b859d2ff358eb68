import * as z from 'zod/mini';

/** What a model and a reader of the code are told about a component, beside the shape of its props. */
export interface Component<Props extends z.ZodMiniType = z.ZodMiniType> {
  /** One sentence for the model: what it shows, and when to choose it. */
  readonly description: string;
  /** The shape of its props. Fields that are not in it are dropped. */
  readonly schema: Props;
  /** The props that hold other components, written like `content` or `items[].content`. */
  readonly slots?: readonly string[];
  /** What a person can do with it: the action, and what is in the `data` of its event. */
  readonly events?: Readonly<Record<string, string>>;
}

/** Components by the name that stands in `type`. Own components are added with `{ ...COMPONENTS, name: … }`. */
export type Registry = Readonly<Record<string, Component>>;

/** The descriptions of fields, for the instructions and the JSON Schema. */
export const words: z.core.$ZodRegistry<Record<string, unknown>> = z.registry<Record<string, unknown>>();

/** Gives a field the description that a model reads. */
export function describe<Schema extends z.ZodMiniType>(schema: Schema, description: string): Schema {
  const own = z.clone(schema as never) as Schema;
  words.add(own, { ...words.get(schema), description });
  return own;
}

/** Declares a component. It only keeps the type of the props. */
export function defineComponent<Props extends z.ZodMiniType>(component: Component<Props>): Component<Props> {
  return component;
}
