import { AcpProxy } from '../../adapters/acp/index.ts';
import { parseTimeout } from '../../daemon/config.ts';
import { pause } from '../../timing/pause.ts';
import type { ClientOptions } from '../client.ts';
import { createLossReport } from '../run-in-foreground.ts';
import { type Exit, startAgent, whenEnded } from './agent-process.ts';
import { createLazyBeckon } from './lazy-beckon.ts';

/** The options of both ACP commands. */
export interface AcpCommandOptions extends ClientOptions {
  chat?: string;
  timeout?: string;
}

/** How long a process of the agent may still write, and how long the end is told to Beckon. */
const LAST_WORDS_MS = 500;
const GOODBYE_MS = 2000;

/** Runs an agent for the editor that started this command, and ends as the agent ended. */
export async function runProxy(command: readonly string[], options: AcpCommandOptions): Promise<void> {
  const { chatId, timeout } = toAcpOptions(options);
  const agent = startAgent(command);
  const ended = whenEnded(agent);
  // An editor that has gone is no reason to leave: what waits in Beckon has to be ended.
  process.stdout.removeAllListeners('error');
  const beckon = createLazyBeckon(options);
  const report = createLossReport();
  const proxy = new AcpProxy({
    editor: { input: process.stdin, output: process.stdout },
    agent: { input: agent.stdin, output: agent.stdout },
    connect: beckon.connect,
    onTrouble: (why) => report(`${why} The agent goes on without Beckon.`),
    chatId,
    timeout,
  });
  process.on('SIGINT', () => agent.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      agent.kill(signal);
      // The agent may take its time, and the editor may not wait for it.
      void proxy.end('The editor ended the agent');
    });
  }
  const heard = proxy.run();
  const exit = await ended;
  await Promise.race([heard, pause(LAST_WORDS_MS)]);
  await Promise.race([proxy.end('The agent has ended').then(() => beckon.close()), pause(GOODBYE_MS)]);
  leaveLike(exit);
}

/** What the adapter needs of the options. Throws `invalid_input`. */
export function toAcpOptions({ chat, timeout }: AcpCommandOptions) {
  return { chatId: chat, timeout: timeout === undefined ? undefined : parseTimeout(timeout, '--timeout') };
}

function leaveLike({ code, signal }: Exit): void {
  if (signal === null) process.exit(code ?? 1);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
