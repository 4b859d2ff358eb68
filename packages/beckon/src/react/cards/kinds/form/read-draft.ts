import type { Field, FieldOf } from '../../../../presentation/index.ts';
import { isObject, type Json, type JsonObject } from '../../../../protocol/index.ts';
import { parseJsonText } from '../parts/json-text.ts';
import { texts as partTexts } from '../parts/texts.ts';
import { type Draft, findGivenItems, givenOf, toTyped } from './draft.ts';
import { toFieldPath } from './field-path.ts';
import { fromLocalDateTime, fromLocalTimeOfDay, isWholeTime } from './local-time.ts';
import { texts } from './texts.ts';

/** The values of the fields, or their problems by path. `paths` are the paths of all drawn fields. */
export interface ReadDraft {
  values: JsonObject;
  problems: Map<string, string>;
  paths: Set<string>;
}

/** The path of the form's values as a whole. */
export const ROOT = 'values';

/** Turns a draft into values. Rules that only the server can check, such as patterns, are left to it. */
export function readDraft(root: Field, draft: Draft): ReadDraft {
  const reading: Reading = { problems: new Map(), paths: new Set() };
  const value = read({ field: root, draft, given: root.initial, path: ROOT, required: true }, reading);
  if (!isObject(value) && reading.problems.size === 0) reading.problems.set(ROOT, texts.problems.object);
  return { values: isObject(value) ? value : {}, ...reading };
}

interface Reading {
  problems: Map<string, string>;
  paths: Set<string>;
}

interface Part {
  field: Field;
  draft: Draft | undefined;
  /** The default of the field. */
  given: Json | undefined;
  path: string;
  required: boolean;
}

/** The value of one field; `undefined` if it is empty. */
function read(part: Part, reading: Reading): Json | undefined {
  reading.paths.add(part.path);
  const value = readFilled(part, reading);
  if (value !== undefined || !part.required) return value;
  if (part.field.nullable) return null;
  if (!reading.problems.has(part.path)) reading.problems.set(part.path, texts.problems.required);
  return undefined;
}

function readFilled({ field, draft, given, path, required }: Part, reading: Reading): Json | undefined {
  const fail = (message: string): undefined => {
    reading.problems.set(path, message);
    return undefined;
  };
  switch (field.type) {
    case 'text':
      return typeof draft === 'string' && draft !== '' ? readText(field, draft, given, fail) : undefined;
    case 'number':
      return typeof draft === 'string' && draft.trim() !== '' ? readNumber(field, draft, fail) : undefined;
    case 'boolean':
      return typeof draft === 'boolean' ? draft : undefined;
    case 'choice':
      return typeof draft === 'number' ? field.choices[draft]?.value : undefined;
    case 'choices': {
      const places = Array.isArray(draft) ? draft : [];
      if (places.length === 0 && (!required || field.nullable)) return undefined;
      const chosen = field.choices.filter((_, index) => places.includes(index)).map(({ value }) => value);
      return checkCount(chosen, field, fail);
    }
    case 'list': {
      const items = isItems(draft) ? draft.items : [];
      if (items.length === 0 && (!required || field.nullable)) return undefined;
      const findGiven = findGivenItems(field.item, given);
      const values = items.map((item, index) => {
        const part = { field: field.item, draft: item, given: findGiven(item, index) };
        return read({ ...part, path: toFieldPath(path, index), required: true }, reading) ?? null;
      });
      return checkCount(values, field, fail);
    }
    case 'object':
      return readObject({ field, draft, given, path, required }, reading);
    case 'constant':
      return field.value;
    case 'json':
      return typeof draft === 'string' && draft.trim() !== '' ? readJson(draft, fail) : undefined;
  }
}

function readObject(
  { field, draft, given, path, required }: Part & { field: FieldOf<'object'> },
  reading: Reading,
): JsonObject | undefined {
  const drafts = isItems(draft) ? draft.items : [];
  const inner: Reading = { problems: new Map(), paths: reading.paths };
  const entries: [string, Json][] = [];
  let isFilled = false;
  for (const [index, named] of field.fields.entries()) {
    const { name, required: isNeeded, field: child } = named;
    const begun = { draft: drafts[index], given: givenOf(named, given) };
    const part = { field: child, ...begun, path: toFieldPath(path, name), required: isNeeded };
    const value = read(part, inner);
    if (value !== undefined) entries.push([name, value]);
    // Nobody entered a constant or a null for "empty", but somebody did enter a mistake.
    const isOwn = value !== undefined && value !== null && child.type !== 'constant';
    const isMistake = inner.problems.has(part.path) && inner.problems.get(part.path) !== texts.problems.required;
    isFilled ||= isOwn || isMistake;
  }
  // In an optional group that is left empty, no field is required.
  if (!isFilled && (!required || field.nullable)) return undefined;
  for (const [at, message] of inner.problems) reading.problems.set(at, message);
  return Object.fromEntries(entries);
}

function readText(
  { format, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: FieldOf<'text'>,
  typed: string,
  given: Json | undefined,
  fail: (message: string) => undefined,
): string | undefined {
  if (format === 'date-time' || format === 'time') {
    // A field shows neither the fractions nor the offset of a time, so an unchanged time keeps them.
    if (typeof given === 'string' && isWholeTime(given) && typed === toTyped(format, given)) return given;
    return format === 'time' ? fromLocalTimeOfDay(typed) : (fromLocalDateTime(typed) ?? fail(texts.problems.dateTime));
  }
  // JSON Schema counts characters, not UTF-16 units.
  const length = Array.from(typed).length;
  if (length < minLength) return fail(texts.problems.tooShort(minLength));
  if (length > maxLength) return fail(texts.problems.tooLong(maxLength, length));
  return typed;
}

function readNumber(
  { integer, bounds }: FieldOf<'number'>,
  typed: string,
  fail: (message: string) => undefined,
): number | undefined {
  const value = Number(typed);
  if (!Number.isFinite(value)) return fail(texts.problems.number);
  if (integer && !Number.isInteger(value)) return fail(texts.problems.integer);
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = bounds;
  if (minimum !== undefined && value < minimum) return fail(texts.problems.minimum(minimum));
  if (maximum !== undefined && value > maximum) return fail(texts.problems.maximum(maximum));
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return fail(texts.problems.above(exclusiveMinimum));
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) return fail(texts.problems.below(exclusiveMaximum));
  return value;
}

function readJson(typed: string, fail: (message: string) => undefined): Json | undefined {
  const parsed = parseJsonText(typed);
  return parsed.ok ? parsed.value : fail(partTexts.json.invalid(parsed.message, parsed.line));
}

function checkCount(
  values: Json[],
  { minItems, maxItems = Number.POSITIVE_INFINITY }: { minItems: number; maxItems?: number },
  fail: (message: string) => undefined,
): Json[] | undefined {
  if (values.length < minItems) return fail(texts.problems.tooFew(minItems));
  return values.length > maxItems ? fail(texts.problems.tooMany(maxItems)) : values;
}

function isItems(draft: Draft | undefined): draft is { items: Draft[] } {
  return typeof draft === 'object' && draft !== null && !Array.isArray(draft);
}
