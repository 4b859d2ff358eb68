// A plain Fastify route that echoes a JSON body: what the framework alone costs.
import { createRequire } from 'node:module';
import { reportReady } from './report.ts';

interface App {
  post(path: string, handler: (request: { body: unknown }) => Promise<unknown>): void;
  listen(options: { host: string; port: number }): Promise<string>;
  close(): Promise<void>;
}

// The very Fastify that the product uses, which is not a dependency of the repository's root.
const fromProduct = createRequire(new URL('../../../packages/beckon/package.json', import.meta.url));
const { fastify } = fromProduct('fastify') as { fastify: () => App };

const app = fastify();
app.post('/echo', async ({ body }) => body);
reportReady({ url: await app.listen({ host: '127.0.0.1', port: 0 }) }, () => app.close());
