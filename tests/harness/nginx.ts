import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CertificateFiles } from '../../packages/beckon/src/testing/harness/certificates.ts';
import { findNginx } from '../../scripts/network.mjs';
import type { Machine } from './network.ts';

/** Where nginx is; `undefined` where the machine has none. `npm test` brings it where it can. */
export const NGINX = findNginx();

/** What a location has besides `proxy_pass`, as in docs/remote.md. */
export const PROXY_HEADERS = `
  proxy_http_version 1.1;
  proxy_set_header Host $host;
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_set_header X-Forwarded-Proto $scheme;
  proxy_set_header Upgrade $http_upgrade;
  proxy_set_header Connection $connection_upgrade;
  proxy_buffering off;
  proxy_read_timeout 1h;`;

/** A real nginx with TLS on a machine of a test's network. */
export interface Nginx {
  /** Starts it again with other locations, as `systemctl restart nginx` does. */
  restart(locations: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts nginx with TLS on port 443 of a machine. `locations` are its `location { … }` blocks, as in docs/remote.md.
 * The folder gets its files.
 */
export async function startNginx(options: {
  machine: Machine;
  folder: string;
  files: CertificateFiles;
  locations: string;
}): Promise<Nginx> {
  const { machine, folder, files } = options;
  if (NGINX === undefined) throw new Error('Expected nginx. Run "node scripts/network.mjs".');
  mkdirSync(folder, { recursive: true });
  let child: ChildProcess;
  const start = async (locations: string): Promise<void> => {
    writeFileSync(join(folder, 'nginx.conf'), toConfig(folder, files, locations));
    const [program, ...args] = [...machine.run, NGINX ?? '', '-p', folder, '-e', 'stderr', '-c', 'nginx.conf'];
    let said = '';
    child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    while (!/start worker process/.test(said)) {
      if (child.exitCode !== null) throw new Error(`nginx has ended: ${said}`);
      await sleep(20);
    }
  };
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  await start(options.locations);
  return {
    restart: async (locations) => {
      await stop();
      await start(locations);
    },
    stop,
  };
}

function toConfig(folder: string, { cert, key }: CertificateFiles, locations: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  return `daemon off;
user root;
worker_processes 1;
pid ${join(folder, 'nginx.pid')};
error_log stderr notice;
events {}
http {
  access_log off;
  ${temporary.join('\n  ')}
  map $http_upgrade $connection_upgrade { default upgrade; '' close; }
  server {
    listen 443 ssl;
    ssl_certificate ${cert};
    ssl_certificate_key ${key};
    ${locations}
  }
}
`;
}
