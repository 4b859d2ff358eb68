import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { findNetworkFault } from '../../scripts/network.mjs';

/** A machine of a test's network, with an address of its own and nothing else in sight. */
export interface Machine {
  readonly name: string;
  readonly address: string;
  /** In front of a command, it runs the command on this machine. */
  readonly run: readonly string[];
}

/** Why there are no networks for tests on this machine; `null` if there are. */
const NETWORK_FAULT = findNetworkFault();

/** Where `ip netns exec` takes the files of /etc from that differ on a machine. */
const FILES = '/etc/netns';
const NAME = /^bk-(\d+)-/;

/** Tests on a network of their own. They are skipped, with the reason, where there is none; on CI they must run. */
export function describeOnNetwork(name: string, fault: string | null, tests: () => void): void {
  const reason = NETWORK_FAULT ?? fault;
  const isSkipped = reason !== null && !process.env['CI'];
  // oxlint-disable-next-line vitest/valid-title, vitest/valid-describe-callback -- the name and the tests are passed on
  describe(isSkipped ? `${name} (skipped: ${reason})` : name, { timeout: 240_000, skip: isSkipped }, tests);
}

let opened = 0;

/**
 * Machines that are joined by a switch, each in a network namespace, without a way to the networks of this machine.
 * Each knows the others by name.
 */
export class TestNetwork {
  readonly #id = `bk-${process.pid}-${(opened += 1)}`;
  readonly #machines: { machine: Machine; names: readonly string[] }[] = [];

  private constructor() {
    removeForgotten();
    ip('netns', 'add', this.#id);
    ip('-n', this.#id, 'link', 'add', 'switch', 'type', 'bridge');
    ip('-n', this.#id, 'link', 'set', 'switch', 'up');
  }

  static open(): TestNetwork {
    if (NETWORK_FAULT !== null) throw new Error(`Expected a machine with network namespaces: ${NETWORK_FAULT}`);
    return new TestNetwork();
  }

  /** Adds a machine. The others find it under its name, and under `names`. */
  add(name: string, names: readonly string[] = []): Machine {
    const namespace = `${this.#id}-${name}`;
    const number = this.#machines.length + 1;
    const address = `10.77.0.${number}`;
    ip('netns', 'add', namespace);
    const machine = { name, address, run: ['ip', 'netns', 'exec', namespace] };
    this.#machines.push({ machine, names: [name, ...names] });
    const port = `port${number}`;
    ip('-n', this.#id, 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
    ip('-n', this.#id, 'link', 'set', port, 'master', 'switch', 'up');
    ip('-n', namespace, 'address', 'add', `${address}/24`, 'dev', 'eth0');
    for (const device of ['lo', 'eth0']) ip('-n', namespace, 'link', 'set', device, 'up');
    this.#writeHosts();
    return machine;
  }

  /** Takes a machine off the network, or puts it back. */
  plug(machine: Machine, isPlugged: boolean): void {
    ip('-n', `${this.#id}-${machine.name}`, 'link', 'set', 'eth0', isPlugged ? 'up' : 'down');
  }

  /** Removes the machines. What still runs on them keeps running, without a network. */
  close(): void {
    for (const { machine } of this.#machines) remove(`${this.#id}-${machine.name}`);
    remove(this.#id);
  }

  #writeHosts(): void {
    const lines = this.#machines.map(({ machine, names }) => `${machine.address} ${names.join(' ')}`);
    const text = ['127.0.0.1 localhost', '::1 localhost', ...lines, ''].join('\n');
    for (const { machine } of this.#machines) {
      const folder = join(FILES, `${this.#id}-${machine.name}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'hosts'), text);
      // Names that are not there are known to be unknown at once.
      writeFileSync(join(folder, 'resolv.conf'), 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n');
    }
  }
}

/** Removes the networks of test runs that were killed. */
function removeForgotten(): void {
  const names = existsSync('/run/netns') ? readdirSync('/run/netns') : [];
  for (const name of names) {
    const pid = NAME.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) remove(name);
  }
}

function remove(namespace: string): void {
  ip('netns', 'delete', namespace);
  rmSync(join(FILES, namespace), { recursive: true, force: true });
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
