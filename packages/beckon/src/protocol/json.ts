import * as z from 'zod/mini';
import { describeValue } from './describe-value.ts';
import { LIMITS } from './limits.ts';
import { addFault, must } from './parse.ts';

/** A value that JSON can carry. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
/** An object that JSON can carry. */
export type JsonObject = { [key: string]: Json };

/** Any JSON value, at most `LIMITS.depth` levels deep. A property that is `undefined` counts as absent. */
export const JsonValue = z.custom<Json, unknown>().check((payload) => {
  const fault = findFault(payload.value, []);
  if (fault !== undefined) addFault(payload, fault);
});

/** A JSON object, at most `LIMITS.depth` levels deep. */
export const JsonRecord = z.custom<JsonObject, Record<string, unknown>>().check((payload) => {
  const fault = findFaultInRecord(payload.value);
  if (fault !== undefined) addFault(payload, fault);
});

/** A JSON Schema, as far as JSON goes. A schema of zod or a similar library is a common mistake. */
export const JsonSchema = z.custom<JsonObject, Record<string, unknown>>().check((payload) => {
  const fault = isLibrarySchema(payload.value) ? LIBRARY_SCHEMA : findFaultInRecord(payload.value);
  if (fault !== undefined) addFault(payload, fault);
});

/** A text of at most `LIMITS.textBytes` UTF-8 bytes. */
export const Text = z
  .string()
  .check(
    must(`a text of at most ${LIMITS.textBytes} bytes`, (text) => fitsUtf8(text, LIMITS.textBytes), describeBytes),
  );

/** A text that is not empty. */
export const NonEmptyText = Text.check(must('a text that is not empty', (text) => text !== ''));

/** The check that a value fits into `LIMITS.requestBytes` as JSON. */
export const fitsRequest = must<unknown>(
  `at most ${LIMITS.requestBytes} bytes of JSON`,
  // The cheap bound saves the usual small value from being serialized twice.
  (value) => jsonBytesAtMost(value) <= LIMITS.requestBytes || fitsUtf8(JSON.stringify(value), LIMITS.requestBytes),
  (value) => describeBytes(JSON.stringify(value)),
);

/** Whether a value is an object with fields: no array, not null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface Fault {
  path: readonly PropertyKey[];
  expected: string;
  received: string;
}

const LIBRARY_SCHEMA: Fault = {
  path: [],
  expected: 'a JSON Schema (for zod: z.toJSONSchema(schema), or fillIn)',
  received: 'an object of a schema library',
};

function findFaultInRecord(value: unknown): Fault | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? findFault(value, []) : { path: [], expected: 'an object', received: describeValue(value) };
}

// Schema libraries mark their objects with "~standard". The JSON Schema that zod makes has it too, but is a plain
// object.
function isLibrarySchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '~standard' in value && !isPlainObject(value);
}

// The recursion is bounded by the depth limit: a hostile value cannot exhaust the stack, and a cycle ends.
function findFault(value: unknown, path: readonly PropertyKey[]): Fault | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : { path, expected: 'a finite number', received: describeValue(value) };
    case 'object':
      if (value === null) return undefined;
      if (path.length >= LIMITS.depth) {
        return { path: [], expected: `at most ${LIMITS.depth} levels of nesting`, received: 'more' };
      }
      return Array.isArray(value) ? findFaultInArray(value, path) : findFaultInObject(value, path);
    default:
      return { path, expected: 'a JSON value', received: describeValue(value) };
  }
}

function findFaultInArray(items: readonly unknown[], path: readonly PropertyKey[]): Fault | undefined {
  for (const [index, item] of items.entries()) {
    const fault = findFault(item, [...path, index]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function findFaultInObject(value: object, path: readonly PropertyKey[]): Fault | undefined {
  if (!isPlainObject(value)) return { path, expected: 'a JSON value', received: 'an object of a class' };
  for (const [key, item] of Object.entries(value)) {
    if (key === '__proto__') {
      return { path: [...path, key], expected: 'no field of this name', received: describeValue(item) };
    }
    const fault = item === undefined ? undefined : findFault(item, [...path, key]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function isPlainObject(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

// A UTF-16 unit takes at most 6 bytes of JSON (as \uXXXX), a number at most 25.
function jsonBytesAtMost(value: unknown): number {
  if (typeof value === 'string') return value.length * 6 + 2;
  if (typeof value !== 'object' || value === null) return 25;
  let bytes = 2;
  if (Array.isArray(value)) for (const item of value) bytes += 1 + jsonBytesAtMost(item);
  else for (const key of Object.keys(value)) bytes += key.length * 6 + 4 + jsonBytesAtMost(value[key as never]);
  return bytes;
}

function fitsUtf8(text: string, bytes: number): boolean {
  // A UTF-16 unit takes at least one and at most three bytes.
  if (text.length * 3 <= bytes) return true;
  return text.length <= bytes && utf8Bytes(text) <= bytes;
}

function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

function describeBytes(text: string): string {
  return `${utf8Bytes(text)} bytes`;
}
