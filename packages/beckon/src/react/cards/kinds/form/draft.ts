import type { Choice, Field, NamedField, TextFormat } from '../../../../presentation/index.ts';
import { toEditableJson } from '../../../../presentation/index.ts';
import { isObject, type Json, own } from '../../../../protocol/index.ts';
import { toLocalDateTime, toLocalTimeOfDay } from './local-time.ts';

/**
 * The content of the fields: typed text, the place of a choice, `true` or `false`, and for objects and lists one draft
 * for each field, in order. It holds no names from the schema, so none can be a trap, and it fits into JSON.
 */
export type Draft = string | number | boolean | null | number[] | { items: Draft[] };

/** The most items that a list starts with. A schema may ask for a million, nested. */
const MOST_PREPARED = 3;

/** A draft with only the defaults of the schema. */
export function createDraft(field: Field, given: Json | undefined = field.initial): Draft {
  switch (field.type) {
    case 'text':
      return typeof given === 'string' ? toTyped(field.format, given) : '';
    case 'number':
      return typeof given === 'number' ? String(given) : '';
    case 'boolean':
      return typeof given === 'boolean' ? given : null;
    case 'choice': {
      const at = given === undefined ? -1 : findChoice(field.choices, given);
      return at === -1 ? null : at;
    }
    case 'choices':
      return Array.isArray(given)
        ? given.map((value) => findChoice(field.choices, value)).filter((at) => at !== -1)
        : [];
    case 'list': {
      const items = Array.isArray(given) ? given.map((value) => createDraft(field.item, value)) : [];
      while (items.length < Math.min(field.minItems, MOST_PREPARED)) items.push(createDraft(field.item));
      return { items };
    }
    case 'object':
      return {
        items: field.fields.map((named) => createDraft(named.field, givenOf(named, given))),
      };
    case 'constant':
      return null;
    case 'json':
      return given === undefined ? '' : toEditableJson(given);
  }
}

/** The default of a property in an object with the default `given`. */
export function givenOf({ name, field }: NamedField, given: Json | undefined): Json | undefined {
  return (isObject(given) ? own(given, name) : undefined) ?? field.initial;
}

/**
 * Finds the default of an item in a list with the default `given`. Items move when one is removed, so an unchanged
 * item is found by its content, a changed one by its place.
 */
export function findGivenItems(
  item: Field,
  given: Json | undefined,
): (draft: Draft, index: number) => Json | undefined {
  const values = Array.isArray(given) ? given : [];
  const shown = values.map((value) => JSON.stringify(createDraft(item, value)));
  const byShown = new Map(values.map((value, index) => [shown[index], value]));
  return (draft, index) => {
    const text = JSON.stringify(draft);
    return (shown[index] === text ? undefined : byShown.get(text)) ?? values[index] ?? item.initial;
  };
}

/** The text that a field shows for a value. */
export function toTyped(format: TextFormat, value: string): string {
  if (format === 'date-time') return toLocalDateTime(value);
  return format === 'time' ? toLocalTimeOfDay(value) : value;
}

/** Whether a draft, perhaps a stored one, fits a field. */
export function fitsField(field: Field, draft: unknown): draft is Draft {
  switch (field.type) {
    case 'text':
    case 'number':
    case 'json':
      return typeof draft === 'string';
    case 'boolean':
      return draft === null || typeof draft === 'boolean';
    case 'choice':
      return draft === null || isPlace(draft, field.choices);
    case 'choices':
      return Array.isArray(draft) && draft.every((at) => isPlace(at, field.choices));
    case 'list':
      return isItems(draft) && draft.items.every((item) => fitsField(field.item, item));
    case 'object':
      return (
        isItems(draft) &&
        draft.items.length === field.fields.length &&
        field.fields.every(({ field: child }, index) => fitsField(child, draft.items[index]))
      );
    case 'constant':
      return draft === null;
  }
}

function isPlace(draft: unknown, choices: readonly Choice[]): boolean {
  return typeof draft === 'number' && choices[draft] !== undefined;
}

function isItems(draft: unknown): draft is { items: unknown[] } {
  return typeof draft === 'object' && draft !== null && 'items' in draft && Array.isArray(draft.items);
}

function findChoice(choices: readonly Choice[], value: Json): number {
  const text = JSON.stringify(value);
  return choices.findIndex((choice) => JSON.stringify(choice.value) === text);
}
