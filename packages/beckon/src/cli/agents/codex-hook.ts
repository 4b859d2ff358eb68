import { homedir } from 'node:os';
import { join } from 'node:path';
import { readIfThere } from '../../machine/private-file.ts';
import type { AgentClient, FileChange } from './agent-client.ts';
import { hasTrust, listTrustKeys, trustCodexHooks, withoutTrust } from './codex-trust.ts';
import { findOnPath } from './find-program.ts';
import { createHookClient } from './hook-client.ts';
import { createSettingsHooks } from './settings-hooks.ts';

const toPath = (name: string): string => join(process.env['CODEX_HOME'] || join(homedir(), '.codex'), name);
const toHooksPath = (): string => toPath('hooks.json');
const toConfigPath = (): string => toPath('config.toml');

const file = createSettingsHooks({
  agent: 'codex',
  path: toHooksPath,
  toFields: (seconds) => ({ timeout: seconds, statusMessage: 'Waiting for an answer in Beckon' }),
});

const hooks = createHookClient({
  name: 'codex-hook',
  agent: 'codex',
  title: 'Codex, by hook',
  program: 'codex',
  tested: '0.166.0',
  kinds: { approval: 'without its own dialog', question: 'no', plan_review: 'no', form: 'no' },
  asking: 'PermissionRequest',
  reported: ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop', 'Interrupt', 'SessionEnd'],
  // The most that it gives the last two.
  reportSeconds: 3,
  file,
});

/**
 * Codex by hooks, for sessions without its shared app server. Only by name: where the app server is shared, the
 * connector serves people better, because the dialog in the terminal stays open.
 */
export const codexHook: AgentClient = {
  ...hooks,
  isOptional: true,
  inspect: async () => {
    const report = await hooks.inspect();
    if (!report.isConnected) return report;
    if (hasTrust(readIfThere(toConfigPath()) ?? '', listOwnKeys())) return report;
    const problem = 'Codex does not run its hooks until they are trusted. Run: beckon agents install codex-hook';
    return { ...report, isConnected: false, problems: [...report.problems, problem] };
  },
  planUninstall: async (): Promise<FileChange[]> => {
    const changes = await hooks.planUninstall();
    const path = toConfigPath();
    const before = changes.length === 0 ? undefined : readIfThere(path);
    if (before === undefined) return changes;
    return [...changes, { path, before, after: withoutTrust(before, listOwnKeys()) }];
  },
  finishInstall: async () => {
    const remarks = (await hooks.finishInstall?.()) ?? [];
    const program = findOnPath('codex');
    if (program === null)
      return [...remarks, 'Codex asks whether to trust the hooks when it starts: choose "Trust all".'];
    const count = await trustCodexHooks(program, toHooksPath());
    return [...remarks, `Codex trusts ${count} hooks of Beckon.`];
  },
};

function listOwnKeys(): string[] {
  return listTrustKeys(readIfThere(toHooksPath()) ?? '', toHooksPath());
}
