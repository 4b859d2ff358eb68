/** An agent as Beckon shows it. */
export interface Agent {
  /** For programs: `gemini`, `codex`, or `acp` for one that Beckon does not know. */
  name: string;
  /** For people: "Gemini CLI". */
  title: string;
}

/** By the name that agents give in `agentInfo`. */
const KNOWN: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/claude/i, 'claude-code'],
  [/codex/i, 'codex'],
  [/gemini/i, 'gemini'],
  [/qwen/i, 'qwen'],
  [/opencode/i, 'opencode'],
  [/copilot/i, 'copilot'],
];
const TITLE_CHARS = 100;

/** The agent with this name and title. */
export function toAgent(name: string | undefined, title: string | undefined): Agent {
  const known = KNOWN.find(([pattern]) => name !== undefined && pattern.test(name))?.[1];
  return { name: known ?? 'acp', title: (title || name || 'ACP agent').slice(0, TITLE_CHARS) };
}
