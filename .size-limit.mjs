// How much JavaScript a browser loads before the inbox page shows something: `npx size-limit`, after the build of the
// page.
import { readFileSync } from 'node:fs';

const folder = 'packages/beckon/dist/inbox';
const html = readFileSync(new URL(`${folder}/index.html`, import.meta.url), 'utf8');
const files = [...html.matchAll(/(?:src|href)="\.\/([^"]+\.js)"/g)].map(([, file]) => `${folder}/${file}`);

export default [{ name: 'inbox page, first load', path: files, limit: '150 kB', gzip: true }];
