import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { toTestHook } from '../../core/agent-hooks.ts';
import type { HookTest } from '../hook/hook-test.ts';

/** How Claude Code starts a hook: a program with its arguments, or a line for the shell. */
export interface HookCommand {
  command: string;
  args?: readonly string[] | undefined;
}

/** What a test of a hook command showed. */
export interface TriedHook extends HookTest {
  /** How long the command took from its start to its end, in milliseconds. */
  tookMs: number;
}

/** Longer than the command itself waits for a reply. */
const LIMIT_MS = 30_000;

/** This program by its path, because Claude Code may have a different PATH. */
export function toOwnCommand(): string[] {
  const main = ['../main.js', '../main.ts']
    .map((name) => fileURLToPath(new URL(name, import.meta.url)))
    .find((path) => existsSync(path));
  return [process.execPath, main ?? ''];
}

/** Runs a hook command as its client does, with a hook that changes nothing. `install` would repair it. */
export async function tryHook({ command, args }: HookCommand, install = 'beckon claude install'): Promise<TriedHook> {
  const startedAt = performance.now();
  const { stdout, problem } = await run(command, args);
  const tookMs = Math.round(performance.now() - startedAt);
  return { tookMs, ...(parseTest(stdout) ?? { fault: problem ?? toSilence(command, args, install) }) };
}

function run(command: string, args: readonly string[] | undefined): Promise<{ stdout: string; problem?: string }> {
  return new Promise((resolve) => {
    const options = { stdio: ['pipe', 'pipe', 'ignore'] as ['pipe', 'pipe', 'ignore'], timeout: LIMIT_MS };
    const child = args === undefined ? spawn(command, { ...options, shell: true }) : spawn(command, args, options);
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stdin.on('error', () => undefined);
    child.on('error', (error) => resolve({ stdout, problem: `The hook cannot be run: ${error.message}` }));
    child.on('close', () => resolve({ stdout }));
    child.stdin.end(toTestHook());
  });
}

function parseTest(stdout: string): HookTest | null {
  try {
    return (JSON.parse(stdout) as { test: HookTest }).test;
  } catch {
    return null;
  }
}

function toSilence(command: string, args: readonly string[] | undefined, install: string): string {
  return args === undefined
    ? 'The hook did not run: Claude Code finds no command "beckon" here. Install it with: npm install --global beckon'
    : `The hook ${command} did not say what became of a test. Run "${install}" again.`;
}
