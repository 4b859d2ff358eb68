// How much the names of `beckon/react` add to a page beside React, without what is loaded later, on demand: the forms
// of each kind, Markdown, charts. `npx size-limit` in this folder, after a build of the package.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const entry = fileURLToPath(new URL('dist/react/index.js', import.meta.url));
const parts = fileURLToPath(new URL('dist/react/parts.js', import.meta.url));
const folder = fileURLToPath(new URL('../../node_modules/.cache/beckon/react-size/', import.meta.url));
rmSync(folder, { recursive: true, force: true });

/**
 * The files of a page that uses these names, and of what comes with them.
 * @param {string} name
 * @param {string} code what the page imports
 */
async function measure(name, code) {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [
      { name: 'page', resolveId: (id) => (id === 'page' ? id : null), load: (id) => (id === 'page' ? code : null) },
    ],
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: {
        input: 'page',
        preserveEntrySignatures: 'strict',
        external: /^(?:react|react-dom|react-markdown|rehype-sanitize|remark-gfm|lowlight|highlight\.js)(?:\/|$)/,
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  });
  const { output } = /** @type {import('vite').Rolldown.RolldownOutput} */ (result);
  const chunks = output.filter((file) => file.type === 'chunk');
  const own = `${folder}${name}/`;
  mkdirSync(own, { recursive: true });
  for (const { fileName, code: text } of chunks) writeFileSync(own + fileName.replaceAll('/', '-'), text);
  const first = chunks.find(({ isEntry }) => isEntry)?.fileName ?? '';
  return reach(first, chunks).map((file) => own + file.replaceAll('/', '-'));
}

/**
 * The chunks that come with the first one; what is imported later, on demand, is not among them.
 * @param {string} name
 * @param {{ fileName: string, imports: string[] }[]} chunks
 * @returns {string[]}
 */
function reach(name, chunks, /** @type {string[]} */ reached = []) {
  if (reached.includes(name)) return reached;
  reached.push(name);
  for (const other of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) {
    if (chunks.some(({ fileName }) => fileName === other)) reach(other, chunks, reached);
  }
  return reached;
}

/** @param {string} names */
const from = (names) => `export { ${names} } from ${JSON.stringify(entry)};`;

export default [
  {
    name: 'beckon/react',
    path: await measure('all', `export * from ${JSON.stringify(entry)};`),
    limit: '50 kB',
    gzip: true,
  },
  {
    name: 'beckon/react: AgentCanvas, render',
    path: await measure('components', from('AgentCanvas, AgentTree, Chart, render, useCallbackUrl')),
    limit: '20 kB',
    gzip: true,
  },
  { name: 'beckon/react: RequestCard', path: await measure('card', from('RequestCard')), limit: '36 kB', gzip: true },
  {
    name: 'beckon/react: Inbox and hooks',
    path: await measure('inbox', from('Inbox, useAnswer, useRequest, useRequests')),
    limit: '38 kB',
    gzip: true,
  },
  {
    name: 'beckon/react/parts',
    path: await measure('parts', `export * from ${JSON.stringify(parts)};`),
    limit: '64 kB',
    gzip: true,
  },
  { name: 'beckon/react/style.css', path: 'src/react/style.css', limit: '5 kB', gzip: true },
  { name: 'beckon/react/cards.css', path: 'dist/react/cards.css', limit: '11 kB', gzip: true },
];
