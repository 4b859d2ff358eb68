import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The daemon that `vite` passes calls on to while the page is developed. */
const DAEMON = process.env['BECKON_URL'] ?? 'http://127.0.0.1:8228';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), tailwindcss(), listShell()],
  // Markdown is parsed in a worker, where the form of this module that is meant for pages has no document.
  resolve: { alias: { 'decode-named-character-reference': fromRoot('decode-named-character-reference/index.js') } },
  worker: { format: 'es' },
  build: {
    outDir: '../../packages/beckon/dist/inbox',
    emptyOutDir: true,
    target: 'es2022',
    // A strict CSP forbids data: for scripts and styles, and inlined files could not be cached.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        index: fileURLToPath(new URL('index.html', import.meta.url)),
        sw: fileURLToPath(new URL('src/sw/sw.ts', import.meta.url)),
      },
      // The service worker keeps its name: browsers look for a new one at the address of the old one.
      output: { entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js') },
    },
  },
  server: {
    // The cookie and the checks of Host and Origin belong to the daemon's own address.
    proxy: {
      '/v1': {
        target: DAEMON,
        changeOrigin: true,
        configure: (proxy) => proxy.on('proxyReq', (request) => request.setHeader('origin', DAEMON)),
      },
    },
  },
});

/** A file of a module, where npm has put it. */
function fromRoot(file: string): string {
  return fileURLToPath(new URL(`../../node_modules/${file}`, import.meta.url));
}

/** Tells the service worker which files make up the page. */
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
