import { once } from 'node:events';
import { createServer } from 'node:net';

/** The port for clicks. Not 8228, where a Beckon may be running. */
export const port = Number(process.env['BECKON_EXAMPLE_PORT'] ?? 8229);

const server = createServer().listen(port, '127.0.0.1');
try {
  await once(server, 'listening');
} catch (error) {
  console.error(
    `Port ${port} cannot be used (${(error as NodeJS.ErrnoException).code}). Choose another, such as BECKON_EXAMPLE_PORT=8300.`,
  );
  process.exit(1);
}
server.close();
await once(server, 'close');
