import { existsSync } from 'node:fs';
import { connectBeckon } from '../../client/connect-beckon.ts';
import { type Config, toShownStore, toSqlitePath } from '../../daemon/config.ts';
import { findDaemon, toStatePath } from '../../daemon/daemon-state.ts';
import { findProblems, probe } from '../../daemon/health.ts';
import { readTokenFile, toTokenPath } from '../../daemon/token-file.ts';
import { readVersion } from '../../daemon/version.ts';
import { isLoopback } from '../../machine/address.ts';
import { isOpenToOthers } from '../../machine/private-file.ts';
import { openDriver } from '../../open-store.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { MIGRATIONS } from '../../store/migrations/index.ts';
import { findToken, findUrl } from '../client.ts';

/** What `beckon doctor` found. A `warning` is worth knowing; what is `wrong` keeps something from working. */
export interface Finding {
  name: string;
  status: 'ok' | 'warning' | 'wrong';
  found: string;
  /** Where a setting comes from. */
  from?: string;
  /** What to do about it. */
  next?: string;
}

/** Every setting, and where it comes from. Secrets are hidden. */
export function checkSettings(config: Config, problems: readonly BeckonError[]): Finding[] {
  const shown: [string, string | undefined, string][] = [
    ['home', config.home.value, config.home.from],
    ['store', toShownStore(config.store.value), config.store.from],
    ['host', config.host.value, config.host.from],
    ['port', String(config.port.value), config.port.from],
    ['timeout', config.timeout.value === null ? 'never' : toShownDuration(config.timeout.value), config.timeout.from],
    ['allowedHosts', config.allowedHosts.value.join(', ') || 'none', config.allowedHosts.from],
    ['logLevel', config.logLevel.value, config.logLevel.from],
    ['context', config.context.value, config.context.from],
    ['token', config.token.value && '(hidden)', config.token.from],
    ['apiUrl', config.apiUrl.value, config.apiUrl.from],
    ['apiToken', config.apiToken.value && '(hidden)', config.apiToken.from],
    ['apiSecret', config.apiSecret.value && '(hidden)', config.apiSecret.from],
    ['callbackHost', config.callbackHost.value, config.callbackHost.from],
    ['callbackUrl', config.callbackUrl.value, config.callbackUrl.from],
    ['sessionId', config.sessionId.value, config.sessionId.from],
  ];
  return [
    ...shown.flatMap(([name, found, from]) =>
      found === undefined ? [] : [{ name, status: 'ok' as const, found, from }],
    ),
    ...problems.map((problem) => ({
      name: 'config',
      status: 'wrong' as const,
      found: problem.message,
      next: 'Correct or remove it.',
    })),
  ];
}

/** Checks Node, the home folder, the token and the store of this machine. Changes nothing. */
export async function checkMachine(config: Config): Promise<Finding[]> {
  return [checkNode(), checkHome(config), checkTokenFile(config), checkExposure(config), await checkStore(config)];
}

/** Checks whether Beckon is reachable from here, and accepts this user's token. */
export async function checkDaemon(config: Config): Promise<Finding[]> {
  const found = await findDaemon(toStatePath(config.home.value));
  const url = await findUrl(config);
  const health = await probe(url);
  if (health.kind !== 'beckon') {
    const isExpected = found !== null && found.liveness !== 'gone';
    const what = { other: 'another program is running', nothing: 'nothing is running', silent: 'no response' }[
      health.kind
    ];
    const why = health.kind === 'silent' ? `: ${health.reason}` : '';
    const status = isExpected || health.kind === 'other' ? 'wrong' : 'warning';
    const next = health.kind === 'other' ? 'Choose another port with --port.' : 'Start it with: beckon up';
    return [{ name: 'daemon', status, found: `${what} at ${url}${why}`, next }];
  }
  const notReady = (await findProblems(url)).map((found): Finding => {
    return {
      name: 'daemon',
      status: 'wrong',
      found,
      next: 'See its log. Beckon goes on by itself once this is fixed.',
    };
  });
  const version = readVersion();
  const isSame = health.version === version;
  return [
    {
      name: 'daemon',
      status: isSame ? 'ok' : 'warning',
      found: `Beckon ${health.version} (pid ${health.pid}) at ${url}`,
      ...(!isSame && { next: `This command is version ${version}. Restart Beckon with: beckon down; beckon up` }),
    },
    ...notReady,
    await checkToken(config, url),
  ];
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  // SQLite cannot search texts in older versions, or in any 23.x.
  const isOk = major >= 24 || (major === 22 && minor >= 16);
  return {
    name: 'node',
    status: isOk ? 'ok' : 'wrong',
    found: process.version,
    ...(!isOk && { next: 'Beckon needs Node 22.16 or later 22.x, or Node 24 or later.' }),
  };
}

function checkHome({ home }: Config): Finding {
  if (!existsSync(home.value)) {
    return {
      name: 'home folder',
      status: 'warning',
      found: `${home.value} does not exist`,
      next: '"beckon up" creates it.',
    };
  }
  const isOpen = isOpenToOthers(home.value);
  return {
    name: 'home folder',
    status: isOpen ? 'warning' : 'ok',
    found: isOpen ? `other users of this machine can read ${home.value}` : home.value,
    ...(isOpen && { next: `Run: chmod 700 ${home.value}` }),
  };
}

function checkTokenFile({ home, token }: Config): Finding {
  const path = toTokenPath(home.value);
  if (readTokenFile(path) === undefined) {
    const isNeeded = token.value === undefined;
    const next = isNeeded ? '"beckon up" creates it. For a Beckon on another machine, set BECKON_TOKEN.' : undefined;
    return {
      name: 'token file',
      status: isNeeded ? 'warning' : 'ok',
      found: `${path} does not exist`,
      ...(next && { next }),
    };
  }
  if (!isOpenToOthers(path)) return { name: 'token file', status: 'ok', found: path };
  return {
    name: 'token file',
    status: 'wrong',
    found: `other users of this machine can read ${path}`,
    next: `Run: chmod 600 ${path}. If others may have read it, revoke it with: beckon token revoke`,
  };
}

function checkExposure({ host }: Config): Finding {
  if (isLoopback(host.value)) return { name: 'network', status: 'ok', found: 'only this machine can reach Beckon' };
  return {
    name: 'network',
    status: 'warning',
    found: `other machines can reach Beckon at ${host.value}`,
    next: 'Put TLS in front of it, because requests carry tokens.',
  };
}

async function checkStore({ store }: Config): Promise<Finding> {
  const path = toSqlitePath(store.value);
  if (path !== null && !existsSync(path)) {
    return { name: 'database', status: 'warning', found: `${path} does not exist`, next: '"beckon up" creates it.' };
  }
  try {
    const driver = await openDriver(store.value);
    try {
      const rows = (await driver.hasTable('schema_revision'))
        ? await driver.all<{ revision: number }>('select revision from schema_revision')
        : [];
      return toRevisionFinding(Number(rows[0]?.revision ?? 0));
    } finally {
      await driver.close();
    }
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    return {
      name: 'database',
      status: 'wrong',
      found,
      next: 'See docs/storage.md, or choose another store with --store.',
    };
  }
}

function toRevisionFinding(revision: number): Finding {
  const newest = MIGRATIONS.length;
  if (revision > newest) {
    const found = `the schema revision is ${revision}, but this Beckon only knows ${newest}`;
    return { name: 'database', status: 'wrong', found, next: 'Run a newer Beckon, or choose another store.' };
  }
  const older = revision === newest ? '' : ` ("beckon up" upgrades it to ${newest})`;
  return { name: 'database', status: 'ok', found: `works, schema revision ${revision}${older}` };
}

async function checkToken(config: Config, url: string): Promise<Finding> {
  const from = config.token.value === undefined ? toTokenPath(config.home.value) : config.token.from;
  try {
    const beckon = connectBeckon(url, { token: await findToken(config, url), retryFor: 1 });
    try {
      // Every role may read, and the id need not exist.
      await beckon.get('doctor');
    } finally {
      await beckon.close();
    }
    return { name: 'token', status: 'ok', found: 'valid', from };
  } catch (error) {
    const isRefused = error instanceof BeckonError && error.code === 'unauthorized';
    const found = isRefused ? 'Beckon rejected it' : String((error as Error).message);
    const next =
      config.token.value === undefined
        ? 'Restart Beckon to get a new one, or create one with: beckon token create'
        : `Unset ${from} to use this machine's token, or create a valid one with: beckon token create`;
    return { name: 'token', status: 'wrong', found, from, next };
  }
}

function toShownDuration(duration: number | string): string {
  return typeof duration === 'number' ? `${duration} s` : duration;
}
