import * as z from 'zod/mini';

type Init = (schema: z.ZodMiniObject, definition: z.core.$ZodObjectDef) => void;
const compile: Init = z.core.$ZodObjectJIT.init;
const complete: Init = z.ZodMiniObject.init;

const CompiledObject = z.core.$constructor<z.ZodMiniObject>('CompiledObject', (schema, definition) => {
  compile(schema, definition);
  complete(schema, definition);
});

/**
 * `z.strictObject` with a parser that zod compiles for the shape: several times as fast, for what every ask goes through. Web pages
 * have the plain one, because their rules may forbid to compile code.
 */
export const strictObject: typeof z.strictObject =
  'document' in globalThis
    ? z.strictObject
    : (shape, params) => new CompiledObject(z.strictObject(shape, params)._zod.def) as never; // The shape is the same.
