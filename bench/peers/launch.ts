import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startBeckon } from '../beckon-process.ts';
import { AgentsProcess } from './agents-process.ts';

/** A contender that is ready for turns. */
export interface Running {
  agents: AgentsProcess;
  stop(): Promise<void>;
}

/** Something that the agents use, in a process of its own. */
export interface Service {
  /** Its processor time so far, in milliseconds. */
  readMs(): number | Promise<number>;
  stop(): Promise<void>;
}

const NODE = [process.execPath, '--experimental-import-meta-resolve', '--disable-warning=ExperimentalWarning'];

/** Starts a program of agents/, which uses `service`, and stops both together. */
export async function runAgents(input: {
  folder: string;
  program: URL;
  args?: readonly string[];
  /** Default: nothing but the program itself. */
  service?: Service;
  /** Default: this Node. */
  interpreter?: readonly string[];
}): Promise<Running> {
  const { folder, program, args = [], service, interpreter = NODE } = input;
  try {
    const agents = await AgentsProcess.start({
      command: [...interpreter, fileURLToPath(program), ...args],
      log: join(folder, 'agents.log'),
      readServersMs: async () => (await service?.readMs()) ?? 0,
    });
    const stop = async (): Promise<void> => {
      await agents.stop();
      await service?.stop();
    };
    return { agents, stop };
  } catch (error) {
    await service?.stop();
    throw error;
  }
}

/** Starts `beckon up` and agents that reach it by its URL and token; further `args` come behind these. */
export async function runBesideDaemon(folder: string, program: URL, args: readonly string[] = []): Promise<Running> {
  const home = join(folder, 'home');
  mkdirSync(home);
  const daemon = await startBeckon(home);
  const service: Service = { readMs: () => daemon.readCpuMs(), stop: () => daemon.stop() };
  return runAgents({ folder, program, args: [daemon.url, daemon.token, ...args], service });
}
