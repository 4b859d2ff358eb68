import type { JsonObject } from '../../packages/beckon/src/protocol/json.ts';
import { permission } from '../../packages/beckon/src/testing/harness/claude-hooks.ts';
import type { PageBench } from './page-bench.ts';
import { pause } from './press-kinds.ts';

/** A session of Claude Code, and what its hook command says of it. */
export interface TestSession {
  id: string;
  project: string;
  branch: string;
  title: string;
}

const SHOP = { project: 'webshop', branch: 'feature/currency' };
export const CART: TestSession = { id: 'ses-cart', ...SHOP, title: 'Convert the cart' };
export const RATES: TestSession = { id: 'ses-rates', ...SHOP, title: 'Write tests for the rates' };
export const API: TestSession = { id: 'ses-api', project: 'api', branch: 'main', title: 'Fix the flaky tests' };
export const DOCS: TestSession = { id: 'ses-docs', project: 'docs', branch: 'main', title: 'Rewrite the guide' };

/** One call of a tool that waits for a person: its id, and the reply that Claude Code will read. */
export interface TestCall {
  id: string;
  reply: Promise<unknown>;
}

/** Asks for permission as Claude Code does, with its hook and what surrounds it. */
export async function askPermission(
  bench: PageBench,
  session: TestSession,
  tool: string,
  input: JsonObject,
): Promise<TestCall> {
  const before = new Set(await readPending(bench));
  const folder = `/home/ada/${session.project}`;
  const sent = permission(tool, input, { session_id: session.id, cwd: folder });
  const { project, branch, title } = session;
  const reply = bench.call('/hooks/claude/with-context?timeout=1h', {
    hook: JSON.stringify(sent),
    context: { project, branch, title, folder, agent: 'Claude Code', machine: 'ada-laptop' },
  });
  // Nobody may ever read it: a test that ends early leaves its calls behind.
  reply.catch(() => undefined);
  for (;;) {
    const id = (await readPending(bench)).find((one) => !before.has(one));
    if (id !== undefined) return { id, reply };
    await pause(20);
  }
}

/** What Claude Code reads from the reply: `allow` or `deny`, and why. */
export async function readDecision({ reply }: TestCall): Promise<{ behavior: string; message?: string }> {
  const { hookSpecificOutput } = (await reply) as {
    hookSpecificOutput: { decision: { behavior: string; message?: string } };
  };
  return hookSpecificOutput.decision;
}

async function readPending(bench: PageBench): Promise<string[]> {
  const { items } = await bench.call<{ items: { id: string }[] }>('/v1/interactions?status=pending&limit=200');
  return items.map(({ id }) => id);
}
