import * as z from 'zod/mini';
import { defineComponent, describe } from './component.ts';

const FIELD_KINDS = [
  'text',
  'multiline',
  'number',
  'email',
  'url',
  'date',
  'checkbox',
  'select',
  'multiselect',
] as const;

const FormField = z.object({
  name: describe(z.string(), 'The key of the value, different for each field'),
  label: z.optional(z.string()),
  kind: z._default(describe(z.enum(FIELD_KINDS), 'Default "text"'), 'text'),
  description: z.optional(z.string()),
  placeholder: z.optional(z.string()),
  options: z.optional(
    describe(
      z.array(z.object({ value: z.string(), label: z.optional(z.string()) })),
      'What can be chosen, for "select" and "multiselect"',
    ),
  ),
  value: z.optional(
    describe(z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]), 'What stands there at the start'),
  ),
  required: z.optional(z.boolean()),
  min: z.optional(describe(z.number(), 'Of a number')),
  max: z.optional(describe(z.number(), 'Of a number')),
});

/** Fields to fill in and a button to send them. */
export const form = defineComponent({
  description: 'Fields to fill in and a button to send them, when the agent needs several values.',
  schema: z.object({
    title: z.optional(z.string()),
    description: z.optional(z.string()),
    fields: z.array(FormField),
    submit: z.optional(describe(z.string(), 'The label of the button; default "Send"')),
    notify: z.optional(describe(z.boolean(), 'Whether the agent wants to know each change')),
  }),
  events: {
    submit: '{ values, id }: the values by the name of their field, and the key of the form',
    change: '{ name, value, id }: the field that changed, where `notify` is true',
  },
});

export type FormFieldProps = z.output<typeof FormField>;
export type FormProps = z.output<typeof form.schema>;
