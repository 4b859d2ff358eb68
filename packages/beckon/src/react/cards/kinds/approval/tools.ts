import { type JsonObject, ownText } from '../../../../protocol/index.ts';

/** Tools that run a script: the language, and the fields that may hold it. */
const SCRIPT_LANGUAGES: Readonly<Record<string, string>> = {
  Bash: 'bash',
  PowerShell: 'powershell',
  exec_command: 'bash',
  shell: 'bash',
  shell_command: 'bash',
};
const SCRIPT_FIELDS = ['command', 'cmd'];

/** The tools whose calls are shown as diffs. */
const FILE_TOOLS = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'apply_patch']);

/** The script that a call would run. */
export interface Script {
  field: string;
  text: string;
  language: string;
}

/** The script of a call; `null` if the tool runs none, or has another input. */
export function findScript(tool: string, input: JsonObject): Script | null {
  const language = Object.hasOwn(SCRIPT_LANGUAGES, tool) ? SCRIPT_LANGUAGES[tool] : undefined;
  const field = SCRIPT_FIELDS.find((name) => ownText(input, name) !== undefined);
  if (language === undefined || field === undefined) return null;
  return { field, text: ownText(input, field) ?? '', language };
}

/** A longer script fills a screen. */
const SHORT_LINES = 12;
const SHORT_CHARS = 800;

/** Whether all that a call would do is a script that can be read at a glance. */
export function isShortScript(tool: string, input: JsonObject): boolean {
  const text = findScript(tool, input)?.text;
  return text !== undefined && text.length <= SHORT_CHARS && text.split('\n').length <= SHORT_LINES;
}

/** Whether a call changes files that can be compared. */
export function isFileTool(tool: string): boolean {
  return FILE_TOOLS.has(tool);
}
