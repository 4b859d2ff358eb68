import { isAbsolute } from '../calls/paths.ts';
import { type Family, toFamily } from '../calls/tools.ts';
import type { ParsedDraft, RuleMatch } from '../protocol/rule.ts';
import { hasWildcard, toLiteralNames } from './glob.ts';
import { findFault } from './judge-command.ts';
import { toHost } from './match-domain.ts';
import { toPlain } from './match-path.ts';
import { isPlainServer, toServer } from './match-tool.ts';

/** Most characters of a glob. */
const MOST_PATTERN_CHARS = 1024;
/** Names under which everybody can have a host. */
const SHARED_DOMAINS = new Set(
  `co.uk org.uk ac.uk gov.uk com.au net.au org.au co.nz co.jp co.kr co.in co.za com.br com.cn com.tr com.mx github.io
  gitlab.io pages.dev workers.dev vercel.app netlify.app herokuapp.com web.app firebaseapp.com blogspot.com
  amazonaws.com cloudfront.net azurewebsites.net ngrok.io ngrok.app ngrok-free.app trycloudflare.com`.split(/\s+/),
);

type Draft = Pick<ParsedDraft, 'effect' | 'tool' | 'match' | 'scope'>;

/** What is wrong with what a rule says, and what to write instead, in a sentence; `null` if nothing is. */
export function checkDraft(draft: Draft): string | null {
  return checkTool(draft) ?? checkMatch(draft) ?? (draft.effect === 'allow' ? checkAllowing(draft) : null);
}

function checkTool({ tool, effect }: Draft): string | null {
  if (tool === '*') {
    return effect === 'allow'
      ? 'No rule can allow every tool. Name the tool, such as Bash, Edit or mcp__server__tool.'
      : null;
  }
  const server = toServer(tool);
  if (!tool.includes('*') && tool !== 'mcp__') return null;
  if (server === undefined || server.includes('*') || server === '') {
    return `A star can only stand for all tools of one MCP server: mcp__server__*. Name the tool or the server of ${quote(tool)}.`;
  }
  return effect !== 'allow' || isPlainServer(server)
    ? null
    : `Nobody can tell where the name of the server ends in ${quote(tool)}. Name each tool of it in full.`;
}

function checkMatch({ tool, match }: Draft): string | null {
  if (match === undefined) return null;
  if ('path' in match) return checkPath(match.path);
  if ('domain' in match) {
    return toHost(match.domain) === undefined
      ? `${quote(match.domain)} is no host. Write a host, such as docs.example.com, or all hosts below one: *.example.com.`
      : null;
  }
  const family = toFamily(tool);
  if (
    'commands' in match &&
    tool !== '*' &&
    family !== 'command' &&
    (family === 'edit' || family === 'read' || family === 'fetch')
  ) {
    return `${tool} runs no commands. Name the tool Bash, or match a path or a domain.`;
  }
  return null;
}

function checkPath(pattern: string): string | null {
  if (pattern.length > MOST_PATTERN_CHARS) return `A path pattern has at most ${MOST_PATTERN_CHARS} characters.`;
  if (pattern.startsWith('~')) {
    return `Beckon does not know whose home folder ${quote(pattern)} means. Write the whole path, or one in the project, such as src/**.`;
  }
  const names = toPlain(pattern).split('/');
  if (names.includes('..') || names.includes('.')) {
    return `Write ${quote(pattern)} without "." and "..": paths are compared after these were resolved.`;
  }
  if (names.slice(isAbsolute(pattern) ? 1 : 0).includes('')) {
    return `${quote(pattern)} has an empty name. For all in a folder, write ${quote(`${pattern.replace(/\/+$/, '')}/**`)}.`;
  }
  return null;
}

function checkAllowing({ tool, match }: Draft): string | null {
  const family = toFamily(tool);
  if (match === undefined) return checkWhole(tool, family);
  if ('commands' in match) {
    if (family !== 'command') return `Only the shell runs commands. Name the tool Bash instead of ${quote(tool)}.`;
    const fault = match.commands.map(findFault).find((found) => found !== null);
    return fault === undefined || fault === null ? null : `${fault.slice(0, 1).toUpperCase()}${fault.slice(1)}.`;
  }
  if ('path' in match) return checkAllowedPath(tool, family, match.path);
  if ('domain' in match) return checkAllowedDomain(tool, family, match);
  return null;
}

function checkWhole(tool: string, family: Family): string | null {
  switch (family) {
    case 'command':
      return 'No rule can allow every command. Name the first words of those it allows.';
    case 'edit':
    case 'read':
      return `No rule can allow every file. Name a path for ${quote(tool)}, such as src/**, or ** for the whole project.`;
    case 'fetch':
      return 'No rule can allow every address. Name a domain, such as docs.example.com.';
    case 'mcp':
    case 'other':
      return null;
  }
}

function checkAllowedPath(tool: string, family: Family, path: string): string | null {
  if (family !== 'edit' && family !== 'read') {
    return `Beckon does not know which files ${quote(tool)} touches. Match its exact input, or name the tool Edit or Read.`;
  }
  const names = toLiteralNames(toPlain(path)).filter((name) => name !== '');
  if (isAbsolute(path) && names.length < (hasWildcard(path) ? 2 : 1)) {
    return `${quote(path)} is nearly everything on the machine. Name a folder, or write ** for the whole project.`;
  }
  return null;
}

function checkAllowedDomain(
  tool: string,
  family: Family,
  { domain }: Extract<RuleMatch, { domain: string }>,
): string | null {
  if (family !== 'fetch')
    return `Beckon does not know what ${quote(tool)} fetches. Name the tool WebFetch, or match its exact input.`;
  const host = (toHost(domain) ?? '').toLowerCase();
  const name = host.replace(/^\*\./, '');
  if (
    (!name.includes('.') && !name.startsWith('[') && domain !== 'localhost') ||
    (host !== name && SHARED_DOMAINS.has(name))
  ) {
    return `${quote(domain)} is not one owner's. Name a host, such as docs.example.com, or all hosts below one: *.example.com.`;
  }
  return null;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
