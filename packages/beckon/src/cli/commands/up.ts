import type { Command } from 'commander';
import type { Logger } from 'pino';
import { type Config, type ConfigSources, LOG_LEVELS, loadConfig } from '../../daemon/config.ts';
import type { Ready, RunningDaemon } from '../../daemon/run-daemon.ts';
import { askSamples } from '../../daemon/samples.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { openBrowser } from '../browser.ts';
import { collect, createCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { note, paint, print, printJson } from '../output.ts';

interface UpOptions {
  host?: string;
  port?: string;
  store?: string;
  allowHost?: string[];
  logLevel?: string;
  detach?: boolean;
  samples?: boolean;
  open?: boolean;
  json?: boolean;
}

/** A stop that takes longer is cut short. */
const STOP_MS = 4900;

export function createUp(): Command {
  return createCommand('up', {
    summary: 'Start Beckon: one process that agents and people reach over HTTP.',
    examples: [
      ['beckon up', 'on http://127.0.0.1:8228, with a database in ~/.beckon'],
      ['beckon up --detach', 'in the background; see "beckon status" and "beckon down"'],
      ['beckon up --open --samples', 'with the page in your browser, and something to answer on it'],
      ['beckon up --port 0 --json', 'on any free port; the first line on stdout says which'],
      ['beckon up --store postgres://me@db/beckon', 'one of several Beckons on one Postgres'],
      ['beckon up --host 0.0.0.0 --allow-host beckon.lan', 'for other machines too'],
    ],
    more: 'Ctrl-C or SIGTERM stops it within 5 seconds; nothing is lost. A second one stops it at once.',
  })
    .option('--host <host>', 'address to listen on (default: 127.0.0.1, this machine alone)')
    .option('--port <number>', 'port to listen on, 0 for any that is free (default: 8228)')
    .option('--store <store>', 'sqlite:FILE or postgres://… (default: sqlite:$BECKON_HOME/beckon.db)')
    .option('--allow-host <name>', 'another host name that requests may use; may be repeated', collect)
    .option('--log-level <level>', `${LOG_LEVELS.join(', ')} (default: info)`)
    .option('--detach', 'run in the background, and return when it accepts requests')
    .option('--open', 'open the inbox page in the browser, where there is one')
    .option('--samples', 'ask three things to try the page with, once; they are in the chat "samples"')
    .option('--json', 'print one JSON document when it accepts requests; the log goes to stderr')
    .action(runUp);
}

async function runUp(options: UpOptions): Promise<void> {
  const flags: ConfigSources['flags'] = {
    store: options.store,
    host: options.host,
    port: options.port,
    allowedHosts: options.allowHost,
    logLevel: options.logLevel,
  };
  const config = loadConfig({ flags });
  if (options.detach === true) return upDetached(config, options);
  const { reportToParent } = await import('../../daemon/detach.ts');
  try {
    await upHere(config, options, reportToParent);
  } catch (error) {
    const code = error instanceof BeckonError ? error.code : 'internal';
    await reportToParent({ failed: { code, message: error instanceof Error ? error.message : String(error) } });
    throw error;
  }
}

async function upDetached(config: Config, options: UpOptions): Promise<void> {
  const { startDetached, toLogPath } = await import('../../daemon/detach.ts');
  const args = process.argv.slice(2).filter((argument) => argument !== '--detach' && argument !== '--json');
  const ready = await startDetached(config.home.value, args);
  if (options.json === true) return printJson(ready);
  printReady(ready);
  print(`It runs in the background (pid ${ready.pid}); its log is ${toLogPath(ready.home)}. Stop it with: beckon down`);
  print('The page: beckon open');
}

async function upHere(
  config: Config,
  { json = false, samples = false, open = false }: UpOptions,
  report: (report: { ready: Ready }) => Promise<void>,
): Promise<void> {
  const [{ createLogger }, { runDaemon }] = await Promise.all([
    import('../../daemon/logger.ts'),
    import('../../daemon/run-daemon.ts'),
  ]);
  const logStream = json ? process.stderr : process.stdout;
  const logger = await createLogger(logStream, config.logLevel.value);
  const stopRequest = onStopSignal();
  const given = new AbortController();
  void stopRequest.then((signal) => given.abort(signal));
  const daemon = await runDaemon(config, logger, given.signal).catch((error: unknown) => {
    if (!given.signal.aborted) throw error;
    logger.info(`${String(given.signal.reason)}: stopped before it accepted requests`);
    return null;
  });
  if (daemon === null) return;
  if (samples) await askSamples(daemon.beckon);
  const { remarks, ...facts } = daemon.ready;
  if (json) printJson(daemon.ready);
  else if (process.stdout.isTTY) printReady(daemon.ready);
  if (!process.stdout.isTTY || json) {
    for (const remark of remarks) logger.warn(remark);
    logger.info(facts, `Beckon accepts requests at ${facts.url}`);
  }
  // Never into a file: whoever reads the link comes in.
  if (process.stdout.isTTY && !json) await showLinks(daemon, { open });
  else if (open) await openBrowser(`${daemon.ready.url}${await daemon.createLoginPath()}`);
  await report({ ready: daemon.ready });
  const signal = await stopRequest;
  await stop(daemon, signal, logger);
}

/** Shows the ways to the page: the browser here, a phone where it can be reached from one, or by hand. The link comes last. */
async function showLinks({ ready, createLoginPath }: RunningDaemon, { open }: { open: boolean }): Promise<void> {
  if (ready.networkUrl !== undefined) {
    const { renderUnicodeCompact } = await import('uqr');
    const link = `${ready.networkUrl}${await createLoginPath()}`;
    print(`${renderUnicodeCompact(link)}\nThe page on a phone: ${paint('cyan', link)}\n`);
  }
  const link = `${ready.url}${await createLoginPath()}`;
  if (open && (await openBrowser(link)))
    return print(`The page is open in your browser. For another one: ${findCommand()} open\n`);
  print(
    `Open the page with this link. It works once, within 10 minutes; "${findCommand()} open" makes another.\n  ${paint('cyan', link)}\n`,
  );
}

async function stop(daemon: RunningDaemon, signal: string, logger: Logger): Promise<void> {
  logger.info(`${signal}: stopping`);
  const tooLong = setTimeout(() => {
    logger.fatal('the stop took too long; ended without waiting. What was acknowledged is on disk.');
    process.exit(EXIT.failed);
  }, STOP_MS);
  await daemon.stop();
  clearTimeout(tooLong);
  logger.info('stopped; everything is on disk');
}

/** Resolves with the first signal that asks for a stop. The second ends the process at once. */
function onStopSignal(): Promise<string> {
  return new Promise((resolve) => {
    let isStopping = false;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (isStopping) process.exit(EXIT.failed);
        isStopping = true;
        resolve(signal);
      });
    }
  });
}

function printReady({ url, store, tokenFile, remarks }: Ready): void {
  for (const remark of remarks) note(remark);
  print(`${paint('bold', 'Beckon')} accepts requests at ${paint('cyan', url)}`);
  print(`  store   ${store}`);
  print(`  token   ${tokenFile}`);
  print('');
  const command = findCommand();
  print('Ask from another terminal, and answer where you like:');
  print(`  ${command} ask "Is it lunch time?" --option yes --option no`);
  print(`  ${command} list`);
  print(`Every command has --help. Programs use the HTTP API with the token; "${command} doctor" shows every setting.`);
  print('');
}

// Where npm started it, the command may be known to npx alone.
function findCommand(): string {
  return process.env['npm_command'] === undefined ? 'beckon' : 'npx beckon';
}
