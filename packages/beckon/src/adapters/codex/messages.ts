import * as z from 'zod/mini';
import { Id } from '../../protocol/ids.ts';
import { JsonRecord, JsonValue } from '../../protocol/json.ts';
import { RequestId } from './rpc.ts';

/*
 * What Codex's app server sends, as far as the connector reads it. Fields that are not here are dropped, and messages
 * that do not fit are left to Codex's own terminal. `codex-types.ts` has the types as Codex generates them.
 */

export const CommandApproval = z.object({
  kind: z.optional(z.string()),
  threadId: Id,
  turnId: z.string(),
  itemId: z.string(),
  startedAtMs: z.number(),
  approvalId: z.nullish(z.string()),
  reason: z.nullish(z.string()),
  networkApprovalContext: z.nullish(z.object({ host: z.string(), protocol: z.string() })),
  command: z.nullish(z.string()),
  cwd: z.nullish(z.string()),
  additionalPermissions: z.nullish(JsonRecord),
  proposedExecpolicyAmendment: z.nullish(z.array(z.string())),
  availableDecisions: z.nullish(z.array(JsonValue)),
});

export const FileApproval = z.object({
  threadId: Id,
  turnId: z.string(),
  itemId: z.string(),
  startedAtMs: z.number(),
  reason: z.nullish(z.string()),
  grantRoot: z.nullish(z.string()),
});

export const UserInput = z.object({
  threadId: Id,
  turnId: z.string(),
  itemId: z.string(),
  questions: z.array(
    z.object({
      id: z.string(),
      header: z.string(),
      question: z.string(),
      isOther: z.boolean(),
      isSecret: z.boolean(),
      options: z.nullable(z.array(z.object({ label: z.string(), description: z.optional(z.string()) }))),
    }),
  ),
});

/** A form, a link, or the permission for a tool of an MCP server: `_meta` says which. */
export const Elicitation = z.object({
  threadId: Id,
  turnId: z.nullable(z.string()),
  serverName: z.string(),
  mode: z.string(),
  _meta: z.nullish(JsonValue),
  message: z.optional(z.string()),
  requestedSchema: z.optional(JsonValue),
});

export const PermissionsApproval = z.object({
  threadId: Id,
  turnId: z.string(),
  itemId: z.string(),
  startedAtMs: z.number(),
  cwd: z.string(),
  reason: z.nullish(z.string()),
  permissions: JsonRecord,
});

const REQUESTS = {
  'item/commandExecution/requestApproval': CommandApproval,
  'item/fileChange/requestApproval': FileApproval,
  'item/tool/requestUserInput': UserInput,
  'mcpServer/elicitation/request': Elicitation,
  'item/permissions/requestApproval': PermissionsApproval,
} as const;
type Requests = typeof REQUESTS;

/** What Codex asks of people. */
export type CodexRequest = {
  [Method in keyof Requests]: { method: Method; params: z.output<Requests[Method]> };
}[keyof Requests];

/** A request that people can answer; `null` for every other one, and for one that does not fit. */
export function readRequest(method: string, params: unknown): CodexRequest | null {
  if (!Object.hasOwn(REQUESTS, method)) return null;
  const { data } = z.safeParse(REQUESTS[method as keyof Requests], params);
  return data === undefined ? null : ({ method, params: data } as CodexRequest);
}

const status = z.string();

/** The parts of a turn that the connector looks at. */
export const Item = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('fileChange'),
    id: z.string(),
    status,
    changes: z.array(
      z.object({
        path: z.string(),
        kind: z.object({ type: z.string(), move_path: z.nullish(z.string()) }),
        diff: z.string(),
      }),
    ),
  }),
  z.object({
    type: z.literal('mcpToolCall'),
    id: z.string(),
    status,
    server: z.string(),
    tool: z.string(),
    arguments: JsonValue,
  }),
  z.object({
    type: z.literal('commandExecution'),
    id: z.string(),
    status,
    exitCode: z.nullish(z.number()),
  }),
  z.object({ type: z.literal('agentMessage'), id: z.string(), text: z.string() }),
  z.object({
    type: z.literal('userMessage'),
    id: z.string(),
    content: z.array(z.object({ type: z.string(), text: z.optional(z.string()) })),
  }),
]);
export type Item = z.output<typeof Item>;
export type FileChangeItem = Extract<Item, { type: 'fileChange' }>;

const ThreadStatus = z.object({ type: z.string(), activeFlags: z.optional(z.array(z.string())) });

/** The notifications that the connector follows. */
export const NOTIFICATIONS = {
  'thread/started': z.object({ thread: z.object({ id: Id }) }),
  'thread/status/changed': z.object({ threadId: Id, status: ThreadStatus }),
  'thread/closed': z.object({ threadId: Id }),
  'thread/name/updated': z.object({ threadId: Id, threadName: z.nullish(z.string()) }),
  'item/started': z.object({ threadId: Id, turnId: z.string(), item: z.unknown() }),
  'item/completed': z.object({ threadId: Id, turnId: z.string(), item: z.unknown() }),
  'turn/completed': z.object({ threadId: Id, turn: z.object({ id: z.string() }) }),
  'serverRequest/resolved': z.object({ threadId: Id, requestId: RequestId }),
} as const;

/** The reply to `thread/resume`. */
export const ResumedThread = z.object({
  thread: z.object({
    cwd: z.string(),
    name: z.nullish(z.string()),
    preview: z.optional(z.string()),
    status: ThreadStatus,
  }),
  initialTurnsPage: z.nullish(z.object({ data: z.array(z.object({ items: z.array(z.unknown()) })) })),
});
export type ResumedThread = z.output<typeof ResumedThread>;
