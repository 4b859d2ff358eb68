export { loadDialect } from './dialects/load-dialect.ts';
export { HOOK_AGENTS } from './hook-dialect.ts';
export { HookEngine, type HookEngineOptions } from './hook-engine.ts';
