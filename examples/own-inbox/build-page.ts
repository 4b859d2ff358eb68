import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type Rolldown } from 'vite';

/** The files of the page by name. `vite build` on the command line writes the same into a folder. */
export async function buildPage(): Promise<Map<string, string | Uint8Array>> {
  const result = await build({
    configFile: false,
    root: fileURLToPath(new URL('page', import.meta.url)),
    logLevel: 'warn',
    plugins: [react()],
    build: { write: false },
  });
  const { output } = result as Rolldown.RolldownOutput;
  return new Map(output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]));
}
