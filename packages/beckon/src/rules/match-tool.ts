import { FAMILY_TOOLS, type Family, toFamily } from '../calls/tools.ts';
import { fold } from './match-command.ts';

/** The family that a rule's tool stands for as a whole. */
export function toWholeFamily(tool: string): Family | undefined {
  return Object.hasOwn(FAMILY_TOOLS, tool) ? FAMILY_TOOLS[tool as keyof typeof FAMILY_TOOLS] : undefined;
}

/** The server of `mcp__server__*`. */
export function toServer(tool: string): string | undefined {
  return /^mcp__(.*)__\*$/s.exec(tool)?.[1];
}

/** Whether an allowing rule for `tool` is about a call of `given`. */
export function isToolAllowed(tool: string, given: string): boolean {
  const family = toWholeFamily(tool);
  if (family !== undefined) return toFamily(given) === family;
  const server = toServer(tool);
  if (server === undefined) return tool === given && tool !== '*';
  // `mcp__github__evil__run` may be the tool `run` of a server `github__evil`.
  const name = given.startsWith(`mcp__${server}__`) ? given.slice(`mcp__${server}__`.length) : '';
  return name !== '' && !name.startsWith('_') && !name.includes('__') && isPlainServer(server);
}

/** Whether a call of `given` could be one of `tool`. */
export function couldBeTool(tool: string, given: string): boolean {
  if (tool === '*') return true;
  const family = toWholeFamily(tool);
  if (family !== undefined) return couldBeFamily(given, family);
  const server = toServer(tool);
  return server === undefined ? fold(given) === fold(tool) : fold(given).startsWith(fold(`mcp__${server}__`));
}

/** Whether the name of a server leaves no doubt where it ends. */
export function isPlainServer(server: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9.-]|_(?!_))*$/.test(server) && !server.endsWith('_');
}

function couldBeFamily(given: string, family: Family): boolean {
  return [given, fold(given), toTitle(fold(given))].some((name) => toFamily(name) === family);
}

function toTitle(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}
