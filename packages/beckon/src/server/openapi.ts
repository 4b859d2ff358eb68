import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { GivenContext } from '../protocol/context.ts';
import { DeliveriesQuery } from '../protocol/destinations-http.ts';
import { Duration } from '../protocol/duration.ts';
import { AnswerEntries } from '../protocol/group.ts';
import { HookObject } from '../protocol/hooks.ts';
import {
  AnswerBody,
  AnswerManyBody,
  ConversationQuery,
  EventsQuery,
  ListQuery,
  LogQuery,
  MOST_CONVERSATION_ENTRIES,
  MOST_LOG_EVENTS,
  MOST_WAIT_SECONDS,
  WaitQuery,
} from '../protocol/http.ts';
import { Id } from '../protocol/ids.ts';
import { JsonRecord, JsonSchema, JsonValue, NonEmptyText, Text } from '../protocol/json.ts';
import { LIMITS } from '../protocol/limits.ts';
import { PROBLEM_TYPE, Problem } from '../protocol/problem.ts';
import { OfferedDraft } from '../protocol/rule.ts';
import { tidyComponents, toRef } from './openapi-components.ts';
import { nameShapes } from './openapi-names.ts';

/** What the description says about schemas whose rules are code. */
const described = z.registry<Record<string, unknown>>();
described.add(Id, {
  minLength: 1,
  maxLength: LIMITS.idChars,
  pattern: '^[A-Za-z0-9._:@+=~-]+$',
});
described.add(Text, { maxLength: LIMITS.textBytes });
described.add(NonEmptyText, { minLength: 1 });
described.add(JsonValue, { description: `Any JSON, at most ${LIMITS.depth} levels deep` });
described.add(JsonRecord, {
  type: 'object',
  additionalProperties: true,
  description: `Any JSON object, at most ${LIMITS.depth} levels deep`,
});
described.add(GivenContext, {
  type: 'object',
  additionalProperties: true,
  description: 'What surrounds the request. Parts that do not fit are left out with a note',
});
described.add(JsonSchema, { type: 'object', additionalProperties: true, description: 'A JSON Schema' });
described.add(HookObject, { type: 'object', additionalProperties: true, description: 'Any JSON object' });
described.add(Duration, { description: 'Seconds, or a text such as "30s", "5m" or "12h"', examples: [300, '5m'] });
described.add(WaitQuery.shape.wait, { type: 'integer', minimum: 0, maximum: MOST_WAIT_SECONDS });
described.add(ListQuery.shape.limit, { type: 'integer', minimum: 1, maximum: LIMITS.pageItems });
described.add(EventsQuery.shape.after, { type: 'integer', minimum: 0 });
described.add(ConversationQuery.shape.before, { type: 'integer', minimum: 0 });
described.add(ConversationQuery.shape.limit, { type: 'integer', minimum: 1, maximum: MOST_CONVERSATION_ENTRIES });
described.add(LogQuery.shape.after, { type: 'integer', minimum: 0 });
described.add(LogQuery.shape.limit, { type: 'integer', minimum: 1, maximum: MOST_LOG_EVENTS });
described.add(DeliveriesQuery.shape.before, { type: 'integer', minimum: 0 });
described.add(DeliveriesQuery.shape.limit, { type: 'integer', minimum: 1, maximum: LIMITS.pageItems });
described.add(OfferedDraft, {
  type: 'object',
  additionalProperties: true,
  description: 'The rule as `POST /v1/rules` takes it',
});
nameShapes(described);

/** The bodies whose `answer` is checked later. */
const WITH_ANSWER = new Set<z.core.$ZodType>([AnswerBody, AnswerManyBody, AnswerEntries.def.element]);

/** The reply that has no body: the connection is a WebSocket. */
export const UPGRADED = z.null();
described.add(UPGRADED, { description: 'The connection is a WebSocket from here on' });

/** How a reply with a problem is described. */
export function problemOf<Schema extends z.ZodMiniType>(schema: Schema, description: string) {
  return { description, content: { [PROBLEM_TYPE]: { schema } } };
}

/** Every status that a route does not name is an error. Generators of clients know this better than `4XX`. */
export const PROBLEMS = { default: problemOf(Problem, 'It was not done; `code` says why') };

/** Describes every route that is added after it. */
export async function addOpenApi(app: FastifyInstance, { version }: { version: string }): Promise<void> {
  const options = {
    schemaRegistry: described,
    zodToJsonConfig: { unrepresentable: 'any', override: describeFurther },
  } as const;
  const addComponents = createJsonSchemaTransformObject(options);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Beckon', version, description: 'Holds the questions of agents until someone answers.' },
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer' },
          device: {
            type: 'apiKey',
            in: 'cookie',
            name: 'beckon_device_8228',
            description: 'The cookie of a logged-in browser. The number is the port in the address that it uses',
          },
        },
      },
      security: [{ token: [] }, { device: [] }],
    },
    transform: createJsonSchemaTransform(options),
    transformObject: (document) => tidyComponents(addComponents(document)),
  });
}

function describeFurther({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: object }): void {
  const { def } = zodSchema._zod as { def: z.core.$ZodTypeDef & { catchall?: unknown } };
  // Replies may get more fields in a later version; only requests with unknown fields are rejected.
  if (def.type === 'object' && def.catchall === undefined && 'additionalProperties' in jsonSchema) {
    delete jsonSchema.additionalProperties;
  }
  // Which form fits is known only once the request is found, so the routes take any object here.
  if (WITH_ANSWER.has(zodSchema)) {
    Object.assign((jsonSchema as { properties: object }).properties, { answer: toRef('GivenAnswerInput') });
  }
}
