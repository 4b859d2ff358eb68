import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { within } from '../../harness/within.ts';
import type { ScriptedModel } from './model.ts';

const relay = fileURLToPath(new URL('relay-child.ts', import.meta.url));

/** A network in which the client finds the scripted model and nothing else. */
export interface Network {
  /**
   * Whether nothing can leave the machine. `false` where the machine does not allow that: then only switches keep the
   * client at home.
   */
  isIsolated: boolean;
  apiUrl: string;
  /** The command that runs another one inside. */
  enter(command: string, args: readonly string[]): [string, ...string[]];
  /** Ends it, with every process that is still inside: some clients leave a daemon behind. */
  close(): Promise<void>;
}

/** Opens a network namespace with loopback alone, where the machine allows it. */
export async function openNetwork(model: ScriptedModel, folder: string): Promise<Network> {
  if (!mayIsolate()) {
    console.warn('The client is not isolated from the network: this machine does not allow "unshare -n".');
    const port = await model.listen();
    return {
      isIsolated: false,
      apiUrl: `http://127.0.0.1:${port}`,
      enter: (command, args) => [command, ...args],
      close: async () => undefined,
    };
  }
  const socketPath = join(folder, 'api.sock');
  await model.listen(socketPath);
  const inside = ['unshare', '-n', '--', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
  const { pid, apiUrl, close } = await openRelay(inside, socketPath, 'alone');
  return {
    isIsolated: true,
    apiUrl,
    enter: (command, args) => ['nsenter', `--net=/proc/${pid}/ns/net`, '--', command, ...args],
    close,
  };
}

/**
 * Makes the API at a Unix socket appear on the loopback of a network. `before` runs a command in that network. `alone`:
 * nobody else uses the network, and what is left in it ends with the relay, even if the test process is killed.
 */
export async function openRelay(
  before: readonly string[],
  socketPath: string,
  ...mode: 'alone'[]
): Promise<{ pid: number; apiUrl: string; close: () => Promise<void> }> {
  const [program = '', ...args] = [...before, process.execPath, relay, socketPath, ...mode];
  const holder = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await within('the relay', once(holder.stdout, 'data'), 60_000)) as [Buffer];
  return {
    pid: holder.pid!,
    apiUrl: `http://127.0.0.1:${line.toString().trim()}`,
    close: async () => {
      const closed = once(holder, 'close');
      holder.stdin.end();
      await closed;
    },
  };
}

function mayIsolate(): boolean {
  const { status } = spawnSync('unshare', ['-n', '--', 'sh', '-c', 'ip link set lo up'], { stdio: 'ignore' });
  return status === 0;
}
