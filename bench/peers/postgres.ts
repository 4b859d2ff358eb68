import { chmodSync, statfsSync } from 'node:fs';
import { startPostgres } from '../../tests/harness/postgres-server.ts';
import { readProcessorMs } from './processor-time.ts';

/** What `statfs` says of a file system in memory. */
const TMPFS = 0x01021994;

/** A Postgres with its data on a real disk. */
export interface PostgresOnDisk {
  url: string;
  readMs(): number;
  stop(): Promise<void>;
}

/** Starts one as it ships, in `folder` if its user can reach that, else in the temporary folder of the system. */
export async function startPostgresOnDisk(folder: string): Promise<PostgresOnDisk> {
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
  const server = await startPostgres();
  const { pid } = server;
  if (statfsSync(server.folder).type === TMPFS || pid === null) {
    await server.dispose();
    throw new Error('Postgres would be in memory here');
  }
  // Before the folder of the run is removed, which has the file that tells the server's guard whom to stop.
  const kill = (): void => void process.kill(pid, 'SIGQUIT');
  process.prependOnceListener('exit', kill);
  const stop = async (): Promise<void> => {
    process.off('exit', kill);
    await server.dispose();
  };
  return { url: server.url, readMs: () => readProcessorMs(pid), stop };
}
