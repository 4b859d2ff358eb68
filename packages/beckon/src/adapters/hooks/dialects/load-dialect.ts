import type { HookAgent, HookDialect } from '../hook-dialect.ts';

/** Loads the dialect of a client, and no other: the hook command has no time. */
export async function loadDialect(agent: HookAgent): Promise<HookDialect> {
  switch (agent) {
    case 'claude-code':
      return (await import('./claude-code.ts')).claudeCode;
    case 'codex':
      return (await import('./codex.ts')).codex;
    case 'copilot':
      return (await import('./copilot.ts')).copilot;
    case 'qwen':
      return (await import('./qwen.ts')).qwen;
  }
}
