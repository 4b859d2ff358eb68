import type { JsonObject } from '../../protocol/json.ts';

/** The fields that every hook has, as Claude Code 2.1.325 sends them. */
const COMMON = {
  session_id: 'c5a832c9-f77b-4ac4-8d55-63cdbe51de83',
  transcript_path: '/home/dev/.claude/projects/-home-dev-work/c5a832c9.jsonl',
  cwd: '/home/dev/work',
  prompt_id: '20930a5d-6f48-48e4-8242-59241ed28ee6',
  permission_mode: 'default',
  effort: { level: 'medium' },
};
export const SESSION = COMMON.session_id;

export const QUESTIONS = [
  {
    question: 'Which database should we use?',
    header: 'Database',
    options: [
      { label: 'PostgreSQL', description: 'relational' },
      { label: 'SQLite', description: 'embedded', preview: '# One file' },
    ],
    multiSelect: false,
  },
  {
    question: 'Which features do you want to enable?',
    header: 'Features',
    options: [
      { label: 'Auth', description: 'login' },
      { label: 'Billing', description: 'money' },
      { label: 'Search', description: 'find' },
    ],
    multiSelect: true,
  },
];
export const BASH = { command: 'touch marker.txt && echo hi', description: 'Say hi' };
export const PLAN = { plan: '# The plan\n\n1. do it\n', planFilePath: '/home/dev/.claude/plans/lively-ladybug.md' };
/** What Claude Code suggests for a command that writes: for the session only. */
export const FOR_SESSION: JsonObject[] = [
  { type: 'addDirectories', directories: ['/home/dev/work'], destination: 'session' },
  { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
];

/** A hook as Claude Code sends it. */
export function hook(event: string, fields: JsonObject = {}): JsonObject {
  return { ...COMMON, hook_event_name: event, ...fields };
}

export function permission(tool: string, input: JsonObject, more: JsonObject = {}): JsonObject {
  return hook('PermissionRequest', { tool_name: tool, tool_input: input, ...more });
}

export function elicitation(): JsonObject {
  return hook('Elicitation', {
    mcp_server_name: 'lab',
    message: 'Need your name',
    mode: 'form',
    requested_schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  });
}
