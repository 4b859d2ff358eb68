// How much `beckon/react` adds to a page beside React, without what only Markdown and charts need: `npx size-limit` in
// this folder, after a build of the package.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const folder = fileURLToPath(new URL('../../node_modules/.cache/beckon/react-size/', import.meta.url));
const result = await build({
  configFile: false,
  logLevel: 'warn',
  build: {
    write: false,
    modulePreload: false,
    rolldownOptions: {
      input: fileURLToPath(new URL('dist/react/index.js', import.meta.url)),
      preserveEntrySignatures: 'strict',
      external: /^(?:react|react-markdown|rehype-sanitize|remark-gfm)(?:\/|$)/,
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
});
const { output } = /** @type {import('vite').Rolldown.RolldownOutput} */ (result);
const chunks = output.filter((file) => file.type === 'chunk');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const { fileName, code } of chunks) writeFileSync(folder + fileName, code);

/**
 * The chunks that come with the first one; what is imported later, on demand, is not among them.
 * @param {string} name
 * @returns {string[]}
 */
function reach(name, /** @type {string[]} */ reached = []) {
  if (reached.includes(name)) return reached;
  reached.push(name);
  for (const other of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) {
    if (chunks.some(({ fileName }) => fileName === other)) reach(other, reached);
  }
  return reached;
}

const first = chunks.find(({ isEntry }) => isEntry)?.fileName ?? '';
const path = reach(first).map((name) => folder + name);
export default [
  { name: 'beckon/react', path, limit: '25 kB', gzip: true },
  { name: 'beckon/react/style.css', path: 'src/react/style.css', limit: '5 kB', gzip: true },
];
