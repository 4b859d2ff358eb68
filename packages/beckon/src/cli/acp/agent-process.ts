import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { BeckonError } from '../../protocol/errors.ts';

/** A running agent. Its stderr is ours: only stdin and stdout belong to the protocol. */
export type AgentProcess = ChildProcessByStdio<Writable, Readable, null>;

/** How a process ended. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Starts the agent's command. */
export function startAgent([program = '', ...args]: readonly string[]): AgentProcess {
  return spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
}

/** Resolves when the agent has ended. Throws `invalid_input` if it cannot be started. */
export function whenEnded(agent: AgentProcess): Promise<Exit> {
  return new Promise((resolve, reject) => {
    agent.once('exit', (code, signal) => resolve({ code, signal }));
    agent.once('error', ({ message }) => {
      if (agent.pid !== undefined) return;
      reject(
        new BeckonError('invalid_input', `The agent cannot be started (${message}). Check the command after "--".`),
      );
    });
  });
}
