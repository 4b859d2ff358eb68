import { HOOK_AGENTS, HookEngine, type HookEngineOptions, loadDialect } from '../adapters/hooks/index.ts';

/** What all engines share. */
export interface HookEnginesOptions extends Pick<HookEngineOptions, 'beckon' | 'sink' | 'attendance'> {
  /** Hears of what cannot be asked, with the title of the client that goes on by itself. */
  onError?: (error: unknown, title: string) => void;
  /** Whether the requests of an agent's session reach Beckon another way, so that its hooks only report. */
  isCovered?: (agent: string, sessionId: string) => boolean;
}

/** An engine for each client that has hooks. */
export async function createHookEngines(options: HookEnginesOptions): Promise<HookEngine[]> {
  const { onError, isCovered, ...shared } = options;
  const dialects = await Promise.all(HOOK_AGENTS.map(loadDialect));
  return dialects.map(
    (dialect) =>
      new HookEngine({
        ...shared,
        dialect,
        onError: (error) => onError?.(error, dialect.title),
        isCovered: (sessionId) => isCovered?.(dialect.agent, sessionId) === true,
      }),
  );
}
