import { resolve } from 'node:path';
import { AcpClient, AgentFailure, ownString } from '../../adapters/acp/index.ts';
import { readVersion } from '../../daemon/version.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { pause } from '../../timing/pause.ts';
import { EXIT } from '../exit-codes.ts';
import { note } from '../output.ts';
import { type AgentProcess, startAgent, whenEnded } from './agent-process.ts';
import { createLazyBeckon } from './lazy-beckon.ts';
import { createPrinter } from './print-updates.ts';
import { type AcpCommandOptions, toAcpOptions } from './run-proxy.ts';

/** The options of `beckon acp run`. */
export interface RunOptions extends AcpCommandOptions {
  cwd?: string;
  mode?: string;
  set?: string[];
}

/** How long an agent has to end after its turn was cancelled, and after its input was closed. */
const CANCEL_MS = 10_000;
const LEAVE_MS = 2000;

const EXIT_CODES: Readonly<Record<string, number>> = {
  end_turn: EXIT.answered,
  refusal: EXIT.denied,
  max_tokens: EXIT.expired,
  max_turn_requests: EXIT.expired,
  cancelled: EXIT.cancelled,
};

/** Gives an agent one prompt, and people its requests. The last word is the prompt. */
export async function runAgent(words: readonly string[], options: RunOptions): Promise<void> {
  const command = words.slice(0, -1);
  const prompt = words.at(-1) ?? '';
  if (command.length === 0 || prompt.trim() === '') {
    throw new BeckonError('invalid_input', 'Expected a command and a prompt. See: beckon acp run --help');
  }
  const asked = toAcpOptions(options);
  const settings = (options.set ?? []).map(toSetting);
  const beckon = createLazyBeckon(options);
  // Without Beckon nobody could allow anything.
  await (await beckon.connect()).list({ limit: 1 });
  const agent = startAgent(command);
  const ended = whenEnded(agent);
  const printer = createPrinter(options.json === true);
  const client = new AcpClient({
    agent: { input: agent.stdin, output: agent.stdout },
    connect: beckon.connect,
    onUpdate: printer.update,
    onTrouble: note,
    ...asked,
  });
  const heard = client.run();
  try {
    const task = { cwd: resolve(options.cwd ?? '.'), mode: options.mode, settings, prompt };
    const reason = await Promise.race([takeTurn(client, task), ended.then(() => heard).then(toNever)]);
    printer.end(reason);
    process.exitCode = EXIT_CODES[reason] ?? EXIT.failed;
  } catch (error) {
    if (!(error instanceof AgentFailure)) throw error;
    printer.end('failed');
    note(`The agent failed: ${error.message}`);
    process.exitCode = EXIT.failed;
  } finally {
    await client.endAsks('The agent has ended');
    client.close();
    await stop(agent, ended);
    await beckon.close();
  }
}

interface Task {
  cwd: string;
  mode: string | undefined;
  settings: readonly JsonObject[];
  prompt: string;
}

/** Gives why the turn ended. */
async function takeTurn(client: AcpClient, { cwd, mode, settings, prompt }: Task): Promise<string> {
  await client.call('initialize', {
    protocolVersion: 1,
    // Files and commands are the agent's own: a client that offers none is asked for none.
    clientCapabilities: {
      fs: { readTextFile: false, writeTextFile: false },
      terminal: false,
      elicitation: { form: {} },
    },
    clientInfo: { name: 'beckon', title: 'Beckon', version: readVersion() },
  });
  const session = await client.call('session/new', { cwd, mcpServers: [] });
  const sessionId = ownString(session, 'sessionId');
  if (sessionId === undefined) throw new AgentFailure('it gave no session.');
  if (mode !== undefined) await client.call('session/set_mode', { sessionId, modeId: mode });
  for (const setting of settings) await client.call('session/set_config_option', { sessionId, ...setting });
  const turn = client.call('session/prompt', { sessionId, prompt: [{ type: 'text', text: prompt }] });
  const over = new AbortController();
  const cancelled = whenInterrupted().then(async () => {
    client.notify('session/cancel', { sessionId });
    await client.endAsks('The turn was cancelled');
    await pause(CANCEL_MS, over.signal);
    return { stopReason: 'cancelled' };
  });
  try {
    return ownString(await Promise.race([turn, cancelled]), 'stopReason') ?? 'unknown';
  } finally {
    over.abort();
    cancelled.catch(() => undefined);
  }
}

/** The first Ctrl-C cancels the turn, the second ends the process. */
function whenInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

async function stop(agent: AgentProcess, ended: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const leave = (): void => over.abort();
  ended.then(leave, leave);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await pause(LEAVE_MS, over.signal).catch(() => undefined);
    if (over.signal.aborted) return;
    agent.kill(signal);
  }
}

/** The end of the agent is told by the calls that it did not answer. */
function toNever(): Promise<never> {
  return new Promise(() => undefined);
}

function toSetting(text: string): JsonObject {
  const [, configId = '', value = ''] = /^([^=]+)=([^]*)$/.exec(text) ?? [];
  if (configId === '') throw new BeckonError('invalid_input', `Expected --set id=value, got ${JSON.stringify(text)}`);
  return { configId, value };
}
