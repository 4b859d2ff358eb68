import { spawn } from 'node:child_process';
import { toSenderLock } from '../../bridge/send-spool.ts';
import { isLocked } from '../../machine/lock-file.ts';
import type { FoundBeckon, WhereFlags } from '../../where/find-beckon.ts';

/** The variables of clients and of the models that they use. */
const CLIENTS = /^(?:CLAUDE|ANTHROPIC|CODEX|OPENAI|COPILOT|GITHUB|GH|QWEN|DASHSCOPE|GEMINI|GOOGLE)_?/;

/**
 * Starts a process that sends what waits for a Beckon elsewhere, unless one does already. Nobody waits for it, and it
 * outlives this process and the client.
 */
export function startSender(folder: string, { url, home }: FoundBeckon, where: WhereFlags): void {
  if (isLocked(toSenderLock(folder))) return;
  const flags = Object.entries(where).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
  const args = ['spool', 'send', '--background', '--to', url, ...flags];
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...args], {
    detached: true,
    stdio: 'ignore',
    // Not in the project, which somebody may want to remove or unmount.
    cwd: home,
    // The variables of clients have secrets of their sessions.
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !CLIENTS.test(name))),
  });
  child.on('error', () => undefined);
  child.unref();
}
