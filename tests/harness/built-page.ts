import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type Plugin, type Rolldown } from 'vite';

/** A page of ours that is bundled as a user would, and served on loopback. */
export interface BuiltPage {
  url: string;
  close(): void;
}

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' };

/**
 * Bundles the script at `entry` in memory, and serves an empty page with it. The package must be built before. Packages
 * in `without` count as not installed, in the way in which Vite treats optional ones: they fail when they are loaded.
 */
export async function servePage(entry: URL, without: readonly string[] = []): Promise<BuiltPage> {
  const files = await bundle(entry, without);
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const body = path === '/' ? toHtml(files) : files.get(path.slice(1));
    const type = TYPES[path === '/' ? '.html' : extname(path)] ?? 'application/octet-stream';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': `${type}; charset=utf-8` }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function bundle(entry: URL, without: readonly string[]): Promise<Map<string, string | Uint8Array>> {
  const result = await build({
    configFile: false,
    root: fileURLToPath(new URL('.', entry)),
    logLevel: 'warn',
    plugins: [react(), leaveOut(without)],
    build: { write: false, modulePreload: false, rolldownOptions: { input: { main: fileURLToPath(entry) } } },
  });
  const { output } = result as Rolldown.RolldownOutput;
  return new Map(output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]));
}

function leaveOut(names: readonly string[]): Plugin {
  return {
    name: 'leave-out',
    enforce: 'pre',
    resolveId: (id) => (names.includes(id) ? `\0${id}` : null),
    load: (id) =>
      id.startsWith('\0') && names.includes(id.slice(1))
        ? `throw new Error('${id.slice(1)} is not installed'); export default null;`
        : null,
  };
}

function toHtml(files: ReadonlyMap<string, unknown>): string {
  const names = [...files.keys()];
  const styles = names.filter((name) => name.endsWith('.css')).map((name) => `<link rel="stylesheet" href="/${name}">`);
  const script = names.find((name) => /^assets\/main-.*\.js$/.test(name));
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><title>Page</title>${styles.join('')}</head>
<body><main id="root"></main><script type="module" src="/${script}"></script></body></html>`;
}
