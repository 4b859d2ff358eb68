import type { Json, JsonObject } from '../protocol/json.ts';

/** How a text is entered. */
export type TextFormat = 'text' | 'lines' | 'email' | 'url' | 'date' | 'date-time' | 'time';

interface Described {
  title?: string;
  description?: string;
  /** Whether `null` is allowed. It is sent if a required field is left empty. */
  nullable: boolean;
  initial?: Json;
}

/** A value to choose, and its name. */
export interface Choice {
  value: Json;
  label: string;
}

/** The field for one part of a form's schema. `json` takes everything that has no field of its own. */
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
