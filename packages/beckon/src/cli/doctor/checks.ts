import { existsSync } from 'node:fs';
import { type Config, toShownStore, toSqlitePath } from '../../daemon/config.ts';
import { findTlsFiles, loadTls } from '../../daemon/tls.ts';
import { readTokenFile, toTokenPath } from '../../daemon/token-file.ts';
import { isLoopback } from '../../machine/address.ts';
import { isOpenToOthers } from '../../machine/private-file.ts';
import { openDriver } from '../../open-store.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { MIGRATIONS } from '../../store/migrations/index.ts';

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

const DAY_MS = 86_400_000;
/** A certificate should be renewed before it has so few days left. */
const SOON_DAYS = 14;

/** Every setting, and where it comes from. Secrets are hidden. */
export function checkSettings(config: Config, problems: readonly BeckonError[]): Finding[] {
  const shown: [string, string | undefined, string][] = [
    ['home', config.home.value, config.home.from],
    ['store', toShownStore(config.store.value), config.store.from],
    ['host', config.host.value, config.host.from],
    ['port', String(config.port.value), config.port.from],
    ['timeout', config.timeout.value === null ? 'never' : toShownDuration(config.timeout.value), config.timeout.from],
    ['allowedHosts', config.allowedHosts.value.join(', ') || 'none', config.allowedHosts.from],
    ['publicUrl', config.publicUrl.value, config.publicUrl.from],
    ['trustedProxies', config.trustedProxies.value.join(', ') || 'none', config.trustedProxies.from],
    ['tlsCert', config.tlsCert.value, config.tlsCert.from],
    ['tlsKey', config.tlsKey.value, config.tlsKey.from],
    ['allowDestinations', config.allowDestinations.value.join(', ') || 'none', config.allowDestinations.from],
    ['logLevel', config.logLevel.value, config.logLevel.from],
    ['context', config.context.value, config.context.from],
    ['codex', config.codex.value, config.codex.from],
    ['token', config.token.value && '(hidden)', config.token.from],
    ['apiUrl', config.apiUrl.value, config.apiUrl.from],
    ['apiToken', config.apiToken.value && '(hidden)', config.apiToken.from],
    ['apiSecret', config.apiSecret.value && '(hidden)', config.apiSecret.from],
    ['smtpUrl', config.smtpUrl.value?.replace(/\/\/.*@/, '//***@'), config.smtpUrl.from],
    ['mailFrom', config.mailFrom.value, config.mailFrom.from],
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

/**
 * Checks Node, the home folder, the token and the store of this machine. Changes nothing. A machine whose commands use
 * a Beckon elsewhere needs neither a token file nor a store.
 */
export async function checkMachine(config: Config, isElsewhere: boolean): Promise<Finding[]> {
  const token = checkTokenFile(config, isElsewhere);
  const here = [checkNode(), checkHome(config), token, checkExposure(config), ...checkTls(config)];
  return [...here, await checkStore(config, isElsewhere)];
}

const NOT_NEEDED = 'none, and none is needed: commands use a Beckon elsewhere';

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

function checkTokenFile({ home, token }: Config, isElsewhere: boolean): Finding {
  const path = toTokenPath(home.value);
  if (readTokenFile(path) === undefined) {
    if (isElsewhere) return { name: 'token file', status: 'ok', found: NOT_NEEDED };
    const isNeeded = token.value === undefined;
    const next = isNeeded
      ? '"beckon up" creates it. For a Beckon on another machine, run: beckon login URL'
      : undefined;
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

function checkExposure({ host, publicUrl, tlsCert }: Config): Finding {
  if (isLoopback(host.value)) {
    const found = `only this machine can reach Beckon${publicUrl.value === undefined ? '' : ' without a proxy'}`;
    return { name: 'network', status: 'ok', found };
  }
  if (tlsCert.value !== undefined) {
    return { name: 'network', status: 'ok', found: `other machines can reach Beckon at ${host.value}, over TLS` };
  }
  return {
    name: 'network',
    status: 'warning',
    found: `other machines can reach Beckon at ${host.value}`,
    next: 'Put TLS in front of it, or add --tls-cert and --tls-key, because requests carry tokens.',
  };
}

function checkTls(config: Config): Finding[] {
  const name = 'certificate';
  try {
    const files = findTlsFiles(config);
    if (files === undefined) return [];
    const { validTo, names } = loadTls(files);
    const days = Math.floor((validTo.getTime() - Date.now()) / DAY_MS);
    const found = `for ${names.join(', ') || 'no name'}, until ${validTo.toISOString()}`;
    if (days >= SOON_DAYS) return [{ name, status: 'ok', found }];
    return [{ name, status: days < 0 ? 'wrong' : 'warning', found, next: 'Renew it. Beckon needs no restart.' }];
  } catch (error) {
    if (!(error instanceof BeckonError)) throw error;
    return [{ name, status: 'wrong', found: error.message }];
  }
}

async function checkStore({ store }: Config, isElsewhere: boolean): Promise<Finding> {
  const path = toSqlitePath(store.value);
  if (path !== null && !existsSync(path)) {
    if (isElsewhere) return { name: 'database', status: 'ok', found: NOT_NEEDED };
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

function toShownDuration(duration: number | string): string {
  return typeof duration === 'number' ? `${duration} s` : duration;
}
