import { isSameJson } from '../../core/same-json.ts';
import { isObject, type JsonObject } from '../../protocol/json.ts';
import type { CodexRequest } from './messages.ts';
import type { Thread } from './thread.ts';
import { toPatch } from './to-patch.ts';
import { unwrapShell } from './unwrap-shell.ts';

/** A tool call in the shape that diffs, risk and rules understand. */
export interface Call {
  tool: string;
  input: JsonObject;
  description?: string | undefined;
}

/** The call that a request asks permission for; `null` if that is not known well enough to be decided by people. */
export function toCall(request: CodexRequest, thread: Thread): Call | null {
  switch (request.method) {
    case 'item/commandExecution/requestApproval':
      return toCommand(request.params);
    case 'item/fileChange/requestApproval':
      return toFileChange(request.params, thread);
    case 'item/permissions/requestApproval': {
      const { permissions, reason } = request.params;
      return { tool: 'request_permissions', input: permissions, description: reason ?? undefined };
    }
    case 'mcpServer/elicitation/request':
      return toMcpCall(request.params, thread);
    case 'item/tool/requestUserInput':
      return null;
  }
}

type Params<Method extends CodexRequest['method']> = Extract<CodexRequest, { method: Method }>['params'];

function toCommand(params: Params<'item/commandExecution/requestApproval'>): Call | null {
  const { kind = 'command', command, networkApprovalContext: network, additionalPermissions, reason } = params;
  // Text typed into a program that runs already: what it does there, nobody can tell.
  if (kind !== 'command') return null;
  const description = reason ?? undefined;
  const typed = command ? { command: unwrapShell(command) } : {};
  // Not "Bash": a rule that allows the command must not open the network to it.
  if (network) return { tool: 'network_access', input: { ...network, ...typed }, description };
  if (!command) return null;
  return { tool: 'Bash', input: { ...typed, ...(additionalPermissions && { additionalPermissions }) }, description };
}

function toFileChange(
  { itemId, grantRoot, reason }: Params<'item/fileChange/requestApproval'>,
  { items }: Thread,
): Call | null {
  const item = items.get(itemId);
  if (item?.type !== 'fileChange') return null;
  const { changes } = item;
  const patch = toPatch(changes);
  // What is no plain patch is shown as it is, and no rule decides about it.
  const input = patch === null ? { changes: changes.map(toPlainChange) } : { command: patch };
  return {
    tool: 'apply_patch',
    input: { ...input, ...(grantRoot && { grantRoot }) },
    description: reason ?? undefined,
  };
}

function toPlainChange({
  path,
  kind,
  diff,
}: {
  path: string;
  kind: { type: string; move_path?: string | null | undefined };
  diff: string;
}): JsonObject {
  return { path, kind: kind.type, ...(kind.move_path && { movedTo: kind.move_path }), diff };
}

function toMcpCall(params: Params<'mcpServer/elicitation/request'>, { items }: Thread): Call | null {
  const { serverName, _meta: meta, message = '' } = params;
  if (!isToolPermission(params) || !isObject(meta)) return null;
  const given = isObject(meta['tool_params']) ? meta['tool_params'] : {};
  // The request names its tool in a sentence only. The call itself has begun already, and is certain.
  const tools = new Set(
    [...items.values()].flatMap((item) =>
      item.type === 'mcpToolCall' && item.server === serverName && isSameJson(item.arguments ?? {}, given)
        ? [item.tool]
        : [],
    ),
  );
  const [tool] = tools.size === 1 ? tools : [/ to run tool "([^"]+)"\?$/.exec(message)?.[1]];
  if (tool === undefined) return null;
  const description = meta['tool_description'];
  return {
    tool: `mcp__${serverName}__${tool}`,
    input: given,
    description: typeof description === 'string' ? description : undefined,
  };
}

/** Whether an elicitation is Codex's own question whether a tool of an MCP server may run. */
export function isToolPermission({ mode, _meta: meta }: Params<'mcpServer/elicitation/request'>): boolean {
  return mode === 'form' && isObject(meta) && meta['codex_approval_kind'] === 'mcp_tool_call';
}
