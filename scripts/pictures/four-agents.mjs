// What four different agents ask in one inbox: their own payloads, sent through the hook command of each.
import { join } from 'node:path';
import { EDIT } from './projects.mjs';
import { createToken, sendAsk, sendHook, tellStory } from './story.mjs';

/** @typedef {{ how: readonly string[], hook: Record<string, unknown> }} Sent */
/** @typedef {{ project: import('./projects.mjs').ProjectName, prompt: Sent, ask: Sent }} Asking */

const PATCH = `*** Begin Patch
*** Update File: src/limits.ts
@@
-export const LIMIT = 60;
+/** Requests a minute, for each plan. */
+export const LIMITS = { free: 60, team: 600 };
*** End Patch`;

/**
 * @param {string} folder
 * @returns {Asking[]}
 */
function toAsking(folder) {
  const webshop = join(folder, 'webshop');
  const claude = { session_id: '0b8c4a52-7f3e-4d7d-9a61-2c5e8f1b0a11', cwd: webshop, permission_mode: 'default' };
  const codex = {
    session_id: '01a1e372-7dce-7cb1-ac98-b66464b2e37e',
    turn_id: '01a1e372-7ddf-7bc3-9a61-79afe043ecab',
    cwd: join(folder, 'api'),
    model: 'gpt-5.5',
    permission_mode: 'default',
  };
  const copilot = {
    sessionId: '02d18ff0-ab0d-4ea8-8974-78b61a3ea7ec',
    timestamp: Date.now(),
    cwd: join(folder, 'handbook'),
  };
  const qwen = {
    session_id: '892b174a-828b-419f-bba8-46c48d918966',
    cwd: join(folder, 'infra'),
    timestamp: new Date().toISOString(),
    permission_mode: 'default',
  };
  return [
    {
      project: 'infra',
      prompt: {
        how: ['qwen'],
        hook: { ...qwen, hook_event_name: 'UserPromptSubmit', prompt: 'Show me how big the backups are' },
      },
      ask: {
        how: ['qwen'],
        hook: {
          ...qwen,
          hook_event_name: 'PermissionRequest',
          tool_name: 'run_shell_command',
          tool_input: { command: 'du -sh /backup/*', description: 'Measure each backup' },
        },
      },
    },
    {
      project: 'handbook',
      prompt: {
        how: ['copilot', '--event', 'userPromptSubmitted'],
        hook: { ...copilot, prompt: 'Publish the page about refunds' },
      },
      ask: {
        how: ['copilot'],
        hook: {
          ...copilot,
          hookName: 'permissionRequest',
          toolName: 'bash',
          toolInput: { command: 'git push --force origin main' },
          permissionSuggestions: [],
        },
      },
    },
    {
      project: 'api',
      prompt: {
        how: ['codex'],
        hook: { ...codex, hook_event_name: 'UserPromptSubmit', prompt: 'Give each plan a limit of its own' },
      },
      ask: {
        how: ['codex'],
        hook: {
          ...codex,
          hook_event_name: 'PermissionRequest',
          tool_name: 'apply_patch',
          tool_input: { command: PATCH },
        },
      },
    },
    {
      project: 'webshop',
      prompt: {
        how: ['claude-code'],
        hook: {
          ...claude,
          hook_event_name: 'UserPromptSubmit',
          prompt: 'Convert the cart to the customer\u2019s currency',
        },
      },
      ask: {
        how: ['claude-code'],
        hook: {
          ...claude,
          hook_event_name: 'PermissionRequest',
          tool_name: 'Edit',
          tool_input: { file_path: join(webshop, 'src/cart/total.ts'), ...EDIT },
        },
      },
    },
  ];
}

/**
 * Lets each agent report what it was told, and ask. Resolves when Beckon has all requests.
 * @param {import('../../tests/harness/cli.ts').CliBench} bench
 * @param {string} url
 */
export async function askAsFour(bench, url) {
  const world = await tellStory(bench, { url, only: [] });
  for (const { project, prompt, ask } of toAsking(world.folder)) {
    const cwd = join(world.folder, project);
    // As "beckon agents install" does: each agent has a token of its own.
    const agent = await createToken(bench, ask.how[0] ?? '', 'agent');
    await sendHook({ ...world, agent }, prompt.hook, cwd, prompt.how).exit;
    await sendAsk({ ...world, agent }, ask.hook, cwd, ask.how);
  }
  return world;
}
