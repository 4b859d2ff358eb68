/** What a tool does, whatever its agent calls it. */
export type Family = 'command' | 'edit' | 'read' | 'fetch' | 'mcp' | 'other';

/** The tools of the agents that people run: Claude Code, Codex, opencode, Copilot, Qwen Code, Gemini CLI, pi. */
const NAMES: Readonly<Record<Exclude<Family, 'mcp' | 'other'>, readonly string[]>> = {
  command: ['Bash', 'bash', 'shell', 'local_shell', 'exec_command', 'run_shell_command', 'execute'],
  edit: [
    'Edit',
    'MultiEdit',
    'Write',
    'NotebookEdit',
    'apply_patch',
    'edit',
    'write',
    'multiedit',
    'patch',
    'write_file',
    'replace',
    'create',
    'str_replace_editor',
  ],
  read: ['Read', 'NotebookRead', 'read', 'read_file', 'view'],
  fetch: ['WebFetch', 'webfetch', 'web_fetch', 'fetch'],
};
const FAMILIES = new Map(
  Object.entries(NAMES).flatMap(([family, names]) => names.map((name) => [name, family as Family] as const)),
);

/** The names that stand for a whole family in a rule. */
export const FAMILY_TOOLS = { Bash: 'command', Edit: 'edit', Read: 'read', WebFetch: 'fetch' } as const;

/** Names are compared as they are: a tool whose name only looks like a known one is none of them. */
export function toFamily(tool: string): Family {
  return FAMILIES.get(tool) ?? (tool.startsWith('mcp__') ? 'mcp' : 'other');
}
