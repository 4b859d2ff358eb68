import { once } from 'node:events';
import { createServer } from 'node:net';

/** Where the examples take clicks. The document has 8228; a Beckon that runs on this machine listens there. */
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
