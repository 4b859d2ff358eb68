import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gatherContext } from '../../packages/beckon/src/context/gather-context.ts';
import type { Interaction } from '../../packages/beckon/src/protocol/interaction.ts';
import type { JsonObject } from '../../packages/beckon/src/protocol/json.ts';
import { permission } from '../../packages/beckon/src/testing/harness/claude-hooks.ts';
import type { PageBench } from './page-bench.ts';

/** An entry of a transcript, as Claude Code writes it. */
export type Said =
  | { person: string }
  | { agent: string }
  | { tool: string; input: JsonObject; result?: string; isError?: true };

/**
 * A project on this machine with an agent at work: its calls come to Beckon as hooks of Claude Code, with what
 * surrounds them, as the hook command gathers it.
 */
export class HookProject {
  readonly folder = join(mkdtempSync(join(tmpdir(), 'beckon-project-')), 'webshop');
  readonly #bench: PageBench;
  #sessions = 0;

  constructor(bench: PageBench) {
    this.#bench = bench;
    this.write('.git/HEAD', 'ref: refs/heads/feature/currency\n');
  }

  close(): void {
    rmSync(dirname(this.folder), { recursive: true, force: true });
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, text: string): string {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
    return this.path(name);
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  /** Asks for permission, and gives the request. The agent goes on waiting. */
  async ask(tool: string, input: JsonObject, said: readonly Said[] = []): Promise<Interaction> {
    const session = `ses-${(this.#sessions += 1)}-${Math.random().toString(36).slice(2)}`;
    const transcript = join(dirname(this.folder), `${session}.jsonl`);
    writeFileSync(transcript, toTranscript(said));
    const hook = { ...permission(tool, input), session_id: session, cwd: this.folder, transcript_path: transcript };
    const { context } = gatherContext(hook, { level: 'full', agent: 'Claude Code', told: 'transcript' });
    // It is answered when the test is over, or never.
    this.#bench
      .call('/hooks/claude/with-context?timeout=1h', { hook: JSON.stringify(hook), context })
      .catch(() => undefined);
    for (;;) {
      const { items } = await this.#bench.call<{ items: Interaction[] }>(`/v1/interactions?sessionId=${session}`);
      if (items[0] !== undefined) return items[0];
    }
  }
}

function toTranscript(said: readonly Said[]): string {
  const start = Date.now() - 60_000 * (said.length + 1);
  const lines = said.flatMap((one, index) => {
    const timestamp = new Date(start + 60_000 * index).toISOString();
    if ('person' in one) return [{ type: 'user', timestamp, message: { role: 'user', content: one.person } }];
    const speak = (content: object): object => ({
      type: 'assistant',
      timestamp,
      message: { role: 'assistant', content: [content] },
    });
    if ('agent' in one) return [speak({ type: 'text', text: one.agent })];
    const id = `toolu_${index}`;
    const result = { type: 'tool_result', tool_use_id: id, content: one.result ?? '', is_error: one.isError ?? false };
    return [
      speak({ type: 'tool_use', id, name: one.tool, input: one.input }),
      {
        type: 'user',
        timestamp: new Date(start + 60_000 * index + 12_000).toISOString(),
        message: { role: 'user', content: [result] },
        permissionDecision: { source: 'config' },
      },
    ];
  });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
