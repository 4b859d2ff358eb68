import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Stands for the key of an account. The scripted API takes any. */
const KEY = 'dummy';

/** What the client gets of its surroundings so that it talks to the scripted API alone. Folders are for the caller. */
export function toClientEnv(apiUrl: string): Record<string, string> {
  const { PATH = '', LANG = 'C.UTF-8' } = process.env;
  return {
    PATH,
    LANG,
    TERM: 'xterm-256color',
    SHELL: '/bin/sh',
    ANTHROPIC_BASE_URL: apiUrl,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    ENABLE_TOOL_SEARCH: 'false',
  };
}

/** Prepares the folder of the client's settings. Without this it begins with a tour, and asks for trust. */
export function seedClient(configFolder: string, ...projects: readonly string[]): void {
  const seed = {
    hasCompletedOnboarding: true,
    customApiKeyResponses: { approved: [KEY], rejected: [] },
    projects: Object.fromEntries(projects.map((project) => [project, { hasTrustDialogAccepted: true }])),
  };
  mkdirSync(configFolder, { recursive: true });
  writeFileSync(join(configFolder, '.claude.json'), JSON.stringify(seed));
}
