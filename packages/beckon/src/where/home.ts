import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** What is in Beckon's folder. The hook command loads this module on every call, so it holds nothing but names. */
export const HOME_FILES = {
  config: 'beckon.config.json',
  state: 'daemon.json',
  token: 'token',
  /** What the daemon sees of Codex. */
  codexState: 'codex.json',
  callbackSecret: 'callback-secret',
  database: 'beckon.db',
  log: 'beckon.log',
  /** The folder of hooks that wait for a daemon. */
  spool: 'spool',
  /** What waits for Beckons elsewhere, with a folder for each. */
  elsewhere: 'elsewhere',
  /** Notes about sessions whose people were told that Beckon cannot be reached. */
  told: 'told',
  /** What people told agents whose transcripts Beckon cannot read, with a file for each session. */
  prompts: 'prompts',
  /** What waits in the processes of agents that Beckon has code in, with a file for each process. */
  waiting: 'waiting',
  /** What agents' files held before Beckon was connected to them. */
  installed: 'installed.json',
} as const;

export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_PORT = 8228;

/** The folder of Beckon: BECKON_HOME, or ~/.beckon. */
export function toHome(env: Readonly<Record<string, string | undefined>>, cwd: string = process.cwd()): string {
  return env['BECKON_HOME'] ? resolve(cwd, env['BECKON_HOME']) : join(homedir(), '.beckon');
}

/** The path of one of its files. */
export function toHomeFile(home: string, file: keyof typeof HOME_FILES): string {
  return join(home, HOME_FILES[file]);
}

/** The path of the token that the hooks of an agent use instead of the person's: it may ask, and nothing else. */
export function toHookTokenPath(home: string, agent: string): string {
  return join(home, `${agent}.token`);
}
