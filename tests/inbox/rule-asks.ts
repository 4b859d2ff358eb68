import type { Page } from 'playwright-core';
import type { Interaction } from '../../packages/beckon/src/protocol/interaction.ts';
import type { JsonObject } from '../../packages/beckon/src/protocol/json.ts';
import type { ListedRule, Rule, RuleDraft } from '../../packages/beckon/src/protocol/rule.ts';
import { permission } from '../../packages/beckon/src/testing/harness/claude-hooks.ts';
import type { Run } from '../harness/cli.ts';
import type { HookProject } from './hook-project.ts';
import type { PageBench } from './page-bench.ts';
import { pause } from './press-kinds.ts';

/** A call of Claude Code that its hook command has asked about. */
export interface HookCall {
  id: string;
  run: Run;
}

/** Runs the hook command for a call in a project, and waits until the request is there, whatever became of it. */
export async function callTool(
  bench: PageBench,
  { folder }: HookProject,
  tool: string,
  input: JsonObject,
  hook: object = {},
): Promise<HookCall> {
  const before = new Set((await listAll(bench)).map(({ id }) => id));
  const run = bench.cli.start(['hook', 'claude-code', '--timeout', '1h'], { cwd: folder });
  run.child.stdin?.end(JSON.stringify({ ...permission(tool, input), cwd: folder, ...hook }));
  for (;;) {
    const found = (await listAll(bench)).find(({ id }) => !before.has(id));
    if (found !== undefined) return { id: found.id, run };
    await pause(20);
  }
}

/** What Claude Code reads: `allow` or `deny`. */
export async function readBehavior(bench: PageBench, { run }: HookCall): Promise<string> {
  const { stdout } = await bench.cli.finish(run);
  const { hookSpecificOutput } = JSON.parse(stdout) as { hookSpecificOutput: { decision: { behavior: string } } };
  return hookSpecificOutput.decision.behavior;
}

/** Asks for a command in a project and decides it at once, from elsewhere. */
export async function decided(
  bench: PageBench,
  command: string,
  decision: 'allow' | 'deny',
  context: object = { project: 'webshop', folder: '/home/ada/webshop', root: '/home/ada/webshop' },
): Promise<string> {
  const id = await bench.ask({ kind: 'approval', request: { tool: 'Bash', input: { command } }, context });
  await bench.answer(id, { decision });
  return id;
}

export function read(bench: PageBench, id: string): Promise<Interaction> {
  return bench.call<Interaction>(`/v1/interactions/${id}`);
}

export async function listRules(bench: PageBench): Promise<Rule[]> {
  const { items } = await bench.call<{ items: ListedRule[] }>('/v1/rules');
  return items.map(({ rule }) => rule);
}

export function addRule(bench: PageBench, rule: RuleDraft): Promise<Rule> {
  return bench.call<Rule>('/v1/rules', { rule });
}

/** Removes every rule. */
export async function removeRules(bench: PageBench): Promise<void> {
  for (const { id } of await listRules(bench)) await bench.call(`/v1/rules/${id}`, undefined, 'DELETE');
}

async function listAll(bench: PageBench): Promise<Interaction[]> {
  const { items } = await bench.call<{ items: Interaction[] }>('/v1/interactions?limit=20');
  return items;
}

/** Opens the dialog, once the page knows that the request may be remembered. */
export async function pressRemember(page: Page): Promise<void> {
  // In a narrow window the button is behind another one.
  await page.locator('button[aria-keyshortcuts="m"]:enabled').waitFor({ state: 'attached' });
  await page.keyboard.press('m');
}
