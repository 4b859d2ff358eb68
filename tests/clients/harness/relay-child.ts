// Runs inside the network namespace: passes connections to a port of its loopback on to a Unix socket outside. Prints
// the port.
import { type AddressInfo, connect, createServer } from 'node:net';

const [socketPath = ''] = process.argv.slice(2);
const server = createServer((inside) => {
  const outside = connect(socketPath);
  inside.pipe(outside).pipe(inside);
  inside.on('error', () => outside.destroy());
  outside.on('error', () => inside.destroy());
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().on('end', () => process.exit(0));
