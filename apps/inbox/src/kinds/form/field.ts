import type { Json, JsonObject } from 'beckon/protocol';

/** How a text is typed in. */
export type TextFormat = 'text' | 'lines' | 'email' | 'url' | 'date' | 'date-time' | 'time';

interface Described {
  title?: string;
  description?: string;
  /** `null` is a value that it may have. It is sent where nothing is typed in but something is needed. */
  nullable: boolean;
  initial?: Json;
}

/** A value to choose, and how it is called. */
export interface Choice {
  value: Json;
  label: string;
}

/** What is drawn for one part of a schema. `json` is for what has no field of its own. */
export type Field = Described &
  (
    | { type: 'text'; format: TextFormat; minLength?: number; maxLength?: number }
    | { type: 'number'; integer: boolean; bounds: Bounds }
    | { type: 'boolean' }
    | { type: 'choice'; choices: Choice[] }
    | { type: 'choices'; choices: Choice[]; minItems: number; maxItems?: number }
    | { type: 'list'; item: Field; minItems: number; maxItems?: number }
    | { type: 'object'; fields: NamedField[] }
    | { type: 'constant'; value: Json }
    | { type: 'json'; schema: JsonObject }
  );

export type FieldOf<Type extends Field['type']> = Extract<Field, { type: Type }>;

export interface Bounds {
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

/** A property of an object. */
export interface NamedField {
  name: string;
  required: boolean;
  field: Field;
}
