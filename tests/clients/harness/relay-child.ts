// Runs inside the network namespace: passes connections to a port of its loopback on to a Unix socket outside. Prints
// the port. It ends with its input; in a network that it has alone, every other process in there ends with it.
import { readdirSync, readlinkSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';

const [socketPath = '', mode] = process.argv.slice(2);
const server = createServer((inside) => {
  const outside = connect(socketPath);
  inside.pipe(outside).pipe(inside);
  inside.on('error', () => outside.destroy());
  outside.on('error', () => inside.destroy());
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().on('end', () => {
  if (mode === 'alone') for (const pid of findOthers()) end(pid);
  process.exit(0);
});

/** The other processes in this network. */
function findOthers(): number[] {
  const network = networkOf(process.pid);
  const pids = readdirSync('/proc').map(Number);
  return pids.filter((pid) => pid > 0 && pid !== process.pid && networkOf(pid) === network);
}

/** A text for each network; a process that has ended has none. */
function networkOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return undefined;
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
