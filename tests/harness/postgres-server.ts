import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { placeBinaries } from './postgres-binaries.ts';

const START_TIMEOUT_MS = 30_000;
const START_ATTEMPTS = 5;
const LOG_TAIL_CHARACTERS = 20_000;
const READY_LINE = 'database system is ready to accept connections';

/**
 * How a server is stopped: `fast` rolls back and checkpoints, `immediate` is a crash that needs recovery at the next
 * start.
 */
type StopMode = 'fast' | 'immediate';

interface PostgresOptions {
  /** Settings as in postgresql.conf, laid over the harness's own. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * A real Postgres of its own, in a temporary folder, that listens on loopback only. It ends with its starter, however
 * that ends.
 */
export interface PostgresServer {
  /** The superuser's URL of the database `postgres`. It stays valid across stops and starts. */
  readonly url: string;
  readonly port: number;
  /** The folder that holds binaries and data; gone after `dispose`. */
  readonly folder: string;
  /** The process id of the running server, or null while it is stopped. */
  readonly pid: number | null;
  /** Creates an empty database and returns its URL. The name is lower-case letters, digits and underscores. */
  createDatabase(name: string): Promise<string>;
  /** Resolves when no process of the server is left. Without a mode it stops as hard as a crash. */
  stopServer(mode?: StopMode): Promise<void>;
  /** Starts the stopped server again, on the same port and data. */
  startServer(): Promise<void>;
  /** Stops and starts in one step. */
  restart(mode?: StopMode): Promise<void>;
  /** Stops the server and removes its folder. May be called more than once. */
  dispose(): Promise<void>;
}

/**
 * The user that runs the server: null for our own, another one when we are root, as Postgres refuses to run as root.
 */
interface RunAs {
  readonly uid: number;
  readonly gid: number;
}

const run = promisify(execFile);

/**
 * Starts a new cluster from the npm binaries; needs no installed Postgres, no Docker and no install script. Ready in
 * 1–2 s.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const runAs = process.getuid?.() === 0 ? findUnprivilegedUser() : null;
  const folder = await mkdtemp(join(runAs ? findSharedTemp() : tmpdir(), 'beckon-postgres-'));
  const guard = startGuard(folder);
  try {
    const password = randomBytes(16).toString('hex');
    await createCluster({ folder, password, runAs });
    const server = new Server(folder, password, runAs, options.settings ?? {}, guard);
    await server.startServer();
    return server;
  } catch (error) {
    await endGuard(guard);
    throw error;
  }
}

class Server implements PostgresServer {
  readonly folder: string;
  readonly #password: string;
  readonly #runAs: RunAs | null;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #guard: ChildProcess;
  #port = 0;
  #process: ChildProcess | null = null;
  #log = '';

  constructor(
    folder: string,
    password: string,
    runAs: RunAs | null,
    settings: Readonly<Record<string, string>>,
    guard: ChildProcess,
  ) {
    this.folder = folder;
    this.#password = password;
    this.#runAs = runAs;
    this.#settings = settings;
    this.#guard = guard;
  }

  get url(): string {
    return this.#urlOf('postgres');
  }

  get port(): number {
    return this.#port;
  }

  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  async createDatabase(name: string): Promise<string> {
    if (!/^[a-z][a-z0-9_]{0,62}$/.test(name))
      throw new Error(`Expected a database name of lower-case letters, digits and underscores, got ${name}`);
    const client = new Client({ connectionString: this.url });
    await client.connect();
    try {
      await client.query(`create database ${name}`);
    } finally {
      await client.end();
    }
    return this.#urlOf(name);
  }

  async startServer(): Promise<void> {
    if (this.#process) return;
    if (this.#port !== 0) return await this.#launch(this.#port);
    // Another process may take the free port before Postgres does: try a few.
    for (let attempt = 1; ; attempt += 1) {
      const port = await findFreePort();
      try {
        await this.#launch(port);
        this.#port = port;
        return;
      } catch (error) {
        if (attempt === START_ATTEMPTS || !this.#log.includes('could not bind')) throw error;
      }
    }
  }

  async stopServer(mode: StopMode = 'immediate'): Promise<void> {
    const server = this.#process;
    if (!server) return;
    const ended = once(server, 'close');
    server.kill(mode === 'immediate' ? 'SIGQUIT' : 'SIGINT');
    // The server's processes share its stderr, so `close` says that the last of them is gone.
    await ended;
  }

  async restart(mode: StopMode = 'immediate'): Promise<void> {
    await this.stopServer(mode);
    await this.startServer();
  }

  async dispose(): Promise<void> {
    await this.stopServer();
    await endGuard(this.#guard);
  }

  #urlOf(database: string): string {
    return `postgres://postgres:${this.#password}@127.0.0.1:${this.#port}/${database}`;
  }

  async #launch(port: number): Promise<void> {
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: '',
      max_connections: '200',
      ...this.#settings,
    };
    const args = ['-D', join(this.folder, 'data')];
    for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`);
    this.#log = '';
    const server = spawn(join(this.folder, 'native', 'bin', 'postgres'), args, {
      cwd: this.folder,
      env: cleanEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe'],
      // Its own group: a Ctrl-C on the terminal is for the tests, which then stop the server in order.
      detached: true,
      ...this.#runAs,
    });
    this.#process = server;
    server.once('close', () => {
      this.#process = null;
    });
    await this.#untilReady(server);
  }

  #untilReady(server: ChildProcess): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        server.kill('SIGQUIT');
      }, START_TIMEOUT_MS);
      server.stderr?.setEncoding('utf8').on('data', (text: string) => {
        this.#log = (this.#log + text).slice(-LOG_TAIL_CHARACTERS);
        if (!this.#log.includes(READY_LINE)) return;
        clearTimeout(timer);
        resolve();
      });
      server.once('error', reject);
      server.once('close', (code, signal) => {
        clearTimeout(timer);
        reject(new Error(`Postgres did not start (code ${code}, signal ${signal}). Its log:\n${this.#log}`));
      });
    });
  }
}

/** Makes an empty cluster that the server's user owns; all connections need the password. */
async function createCluster(input: { folder: string; password: string; runAs: RunAs | null }): Promise<void> {
  const { folder, password, runAs } = input;
  placeBinaries(folder);
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  await mkdir(join(folder, 'data'), { mode: 0o700 });
  if (runAs) for (const path of [folder, passwordFile, join(folder, 'data')]) chownSync(path, runAs.uid, runAs.gid);
  const identity = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const flags = ['--encoding=UTF8', '--no-locale', '--no-sync', '--no-instructions'];
  await run(join(folder, 'native', 'bin', 'initdb'), ['-D', join(folder, 'data'), ...identity, ...flags], {
    cwd: folder,
    env: cleanEnvironment(),
    ...runAs,
  });
}

/** Settings of the caller's own Postgres (PGDATA, PGPORT, …) must not leak into ours. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PG')));
}

/**
 * A small shell waits for the end of our process, also by SIGKILL, then stops the server and removes the folder.
 * Its input is a pipe from us, which the system closes whatever happens.
 */
function startGuard(folder: string): ChildProcess {
  const script = `cat > /dev/null
    for attempt in 1 2 3 4 5; do
      pid=$(head -n 1 "$1/data/postmaster.pid" 2> /dev/null) && kill -QUIT "$pid" 2> /dev/null
      rm -rf "$1" 2> /dev/null
      [ -n "$pid" ] || [ -e "$1" ] || exit 0
      sleep 0.2
    done`;
  const guard = spawn('/bin/sh', ['-c', script, 'sh', folder], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.unref();
  return guard;
}

/** Lets the guard do its work at once, and waits for it. */
async function endGuard(guard: ChildProcess): Promise<void> {
  if (guard.exitCode !== null || guard.signalCode !== null) return;
  guard.ref();
  const ended = once(guard, 'close');
  guard.stdin?.end();
  await ended;
}

/** initdb looks its user up by name, so a bare number is not enough. */
function findUnprivilegedUser(): RunAs {
  const line = readFileSync('/etc/passwd', 'utf8').match(/^nobody:[^:]*:(\d+):(\d+):/m);
  if (!line)
    throw new Error(
      'Postgres refuses to run as root and /etc/passwd has no user nobody. Run the tests as another user.',
    );
  return { uid: Number(line[1]), gid: Number(line[2]) };
}

/** A temporary folder that every user can reach: root's own may be private. */
function findSharedTemp(): string {
  const isShared = (path: string): boolean =>
    existsSync(path) && (statSync(path).mode & 0o001) !== 0 && (path === dirname(path) || isShared(dirname(path)));
  return [tmpdir(), '/tmp', '/var/tmp'].find(isShared) ?? tmpdir();
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system gave no free port.');
  return address.port;
}
