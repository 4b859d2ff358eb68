import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify';
import type * as z from 'zod/mini';
import { parse } from '../protocol/parse.ts';

const PARTS: Record<string, string> = { body: 'body', querystring: 'query', params: 'path', headers: 'headers' };

/** Checks a part of a request with its zod schema. */
export const compileValidator: FastifySchemaCompiler<z.ZodMiniType> = ({ schema, httpPart }) => {
  const what = PARTS[httpPart ?? ''] ?? 'request';
  return (data: unknown) => {
    try {
      return { value: parse(schema, data, { what }) };
    } catch (error) {
      return { error: error as Error };
    }
  };
};

/** The compiler checks the types of replies; their schemas only describe them. */
export const compileSerializer: FastifySerializerCompiler<unknown> = () => JSON.stringify;
