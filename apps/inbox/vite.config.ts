import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin, type Rolldown } from 'vite';

/** The daemon that the development server forwards calls to. */
const DAEMON = process.env['BECKON_URL'] ?? 'http://127.0.0.1:8228';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // The server adds the path that the browser sees in front of the files.
  base: './',
  plugins: [react(), tailwindcss(), addWorker()],
  // Markdown is parsed in a worker, and the browser build of this module needs a document.
  resolve: { alias: { 'decode-named-character-reference': fromRoot('decode-named-character-reference/index.js') } },
  worker: { format: 'es' },
  build: {
    outDir: '../../packages/beckon/dist/inbox',
    emptyOutDir: true,
    target: 'es2022',
    // The CSP forbids data: for scripts and styles, and inlined files could not be cached.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // What the first view needs is one file: many small ones compress worse.
      output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
    },
  },
  server: {
    // The daemon checks Host and Origin, and its cookie belongs to its own address.
    proxy: {
      '/v1': {
        target: DAEMON,
        changeOrigin: true,
        configure: (proxy) => proxy.on('proxyReq', (request) => request.setHeader('origin', DAEMON)),
      },
    },
  },
});

/** A file of an installed module. */
function fromRoot(file: string): string {
  return fileURLToPath(new URL(`../../node_modules/${file}`, import.meta.url));
}

/**
 * Adds the service worker, with the list of the page's files. It is bundled by itself: not every browser lets a service
 * worker import another file.
 */
function addWorker(): Plugin {
  return {
    name: 'beckon:add-worker',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_, bundle) {
      const files = Object.keys(bundle)
        .filter((file) => file.startsWith('assets/') && !file.endsWith('.map'))
        .sort();
      const version = createHash('sha256').update(files.join('\n')).digest('hex').slice(0, 12);
      const source = (await bundleWorker())
        .replace(/["'`]__SHELL_FILES__["'`]/, JSON.stringify(JSON.stringify(files)))
        .replace('__SHELL_VERSION__', version);
      // Browsers look for a new service worker at the address of the old one, so its name stays.
      this.emitFile({ type: 'asset', fileName: 'sw.js', source });
    },
  };
}

async function bundleWorker(): Promise<string> {
  const input = fileURLToPath(new URL('src/sw/sw.ts', import.meta.url));
  const result = await build({
    configFile: false,
    root: fileURLToPath(new URL('.', import.meta.url)),
    publicDir: false,
    logLevel: 'warn',
    build: { write: false, target: 'es2022', rolldownOptions: { input, output: { format: 'iife' } } },
  });
  const { output } = result as Rolldown.RolldownOutput;
  if (output.length !== 1) throw new Error('Expected the service worker to be one file.');
  return output[0].code;
}
