import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The daemon that the development server forwards calls to. */
const DAEMON = process.env['BECKON_URL'] ?? 'http://127.0.0.1:8228';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), tailwindcss(), listShell()],
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
      input: {
        index: fileURLToPath(new URL('index.html', import.meta.url)),
        sw: fileURLToPath(new URL('src/sw/sw.ts', import.meta.url)),
      },
      // Browsers look for a new service worker at the address of the old one, so its name stays.
      output: {
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        // What the first view needs is one file: many small ones compress worse.
        codeSplitting: { groups: [{ name: 'first', tags: ['$initial'], test: (id) => !id.includes('/src/sw/') }] },
      },
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

/** Gives the service worker the list of the page's files. */
function listShell(): Plugin {
  return {
    name: 'beckon:list-shell',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const files = Object.keys(bundle)
        .filter((file) => file.startsWith('assets/') && !file.endsWith('.map'))
        .sort()
        .map((file) => `/${file}`);
      const version = createHash('sha256').update(files.join('\n')).digest('hex').slice(0, 12);
      const worker = bundle['sw.js'];
      if (worker?.type !== 'chunk') throw new Error('Expected the service worker in the bundle as sw.js.');
      worker.code = worker.code
        .replace(/["'`]__SHELL_FILES__["'`]/, JSON.stringify(JSON.stringify(files)))
        .replace('__SHELL_VERSION__', version);
    },
  };
}
