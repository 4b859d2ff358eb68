import type { Kind } from '../../protocol/interaction.ts';

/** The agents that Beckon knows, by the names that commands take. */
export const AGENT_NAMES = [
  'claude-code',
  'codex',
  'codex-hook',
  'opencode',
  'copilot',
  'qwen',
  'gemini',
  'pi',
] as const;
export type AgentName = (typeof AGENT_NAMES)[number];

/** One file that installing or removing changes. `undefined`: there is no file. */
export interface FileChange {
  path: string;
  before: string | undefined;
  after: string | undefined;
}

/** What was found on this machine. */
export interface AgentReport {
  /** The program's path; `null` if it is not on the PATH. */
  program: string | null;
  version: string | null;
  /** Whether its requests reach Beckon. */
  isConnected: boolean;
  /** How, on a line: "hooks in ~/.codex/hooks.json", "its app server, 2 sessions". */
  how: string;
  /** What is missing or wrong, each with the next step. */
  problems: string[];
}

/** How Beckon connects to one kind of agent. */
export interface AgentClient {
  name: AgentName;
  /** What people call it: "Codex". */
  title: string;
  /**
   * What it can ask here, and what it cannot, in a few words: `{ approval: 'yes', question: 'in plan mode' }`. Kinds
   * that are not there cannot be asked.
   */
  kinds: Partial<Record<Kind, string>>;
  /** Connected only where it is named: there is a better way for most people. */
  isOptional?: boolean;
  /** The version that our tests run. */
  tested: string;
  inspect(): Promise<AgentReport>;
  /**
   * What connecting it would change. Empty if nothing has to be changed. Throws `invalid_input` for files that are not
   * ours to repair.
   */
  planInstall(): Promise<FileChange[]>;
  /** What removing Beckon would change: exactly what installing added. */
  planUninstall(): Promise<FileChange[]>;
  /** What else connecting takes besides files, such as telling the agent to trust a hook. */
  finishInstall?(): Promise<string[]>;
}
