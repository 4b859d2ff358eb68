import type { Command } from 'commander';
import type { Logger } from 'pino';
import { CONTEXT_LEVELS } from '../../core/context-level.ts';
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
  publicUrl?: string;
  trustedProxy?: string[];
  tlsCert?: string;
  tlsKey?: string;
  allowDestination?: string[];
  logLevel?: string;
  context?: string;
  detach?: boolean;
  samples?: boolean;
  open?: boolean;
  json?: boolean;
}

/** A longer stop is cut short. */
const STOP_MS = 4900;

export function createUp(): Command {
  return createCommand('up', {
    summary: 'Start Beckon on this machine.',
    examples: [
      ['beckon up', 'listen on http://127.0.0.1:8228, with a database in ~/.beckon'],
      ['beckon up --detach', 'run in the background; see "beckon status" and "beckon down"'],
      ['beckon up --open --samples', 'open the inbox page, with sample requests to answer'],
      ['beckon up --port 0 --json', 'use any free port; the first line on stdout names it'],
      ['beckon up --store postgres://me@db/beckon', 'share one Postgres database with other Beckons'],
      ['beckon up --host 0.0.0.0 --allow-host beckon.lan', 'accept other machines too'],
      [
        'beckon up --public-url https://beckon.example.com --trusted-proxy loopback',
        'behind a proxy with TLS on this machine; links carry that address',
      ],
      ['beckon up --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem', 'with TLS, without a proxy'],
    ],
    more: 'Ctrl-C or SIGTERM stops Beckon within 5 seconds, and nothing is lost. A second one stops it immediately.',
  })
    .option('--host <host>', 'address to listen on (default: 127.0.0.1, this machine only)')
    .option('--port <number>', 'port to listen on, or 0 for any free port (default: 8228)')
    .option('--store <store>', 'sqlite:FILE or postgres://… (default: sqlite:$BECKON_HOME/beckon.db)')
    .option('--allow-host <name>', 'another host name for Beckon; repeatable', collect)
    .option('--public-url <url>', 'the address that others use, for links; a path is possible')
    .option(
      '--trusted-proxy <range>',
      'a proxy whose X-Forwarded headers count: address, CIDR or loopback; repeatable',
      collect,
    )
    .option('--tls-cert <file>', 'serve HTTPS with this certificate (PEM); a renewed one is noticed')
    .option('--tls-key <file>', 'its private key (PEM)')
    .option(
      '--allow-destination <host>',
      'a host or range inside the network that may be told things; repeatable',
      collect,
    )
    .option('--log-level <level>', `${LOG_LEVELS.join(', ')} (default: info)`)
    .option('--context <level>', `what to keep of a request's context: ${CONTEXT_LEVELS.join(', ')} (default: full)`)
    .option('--detach', 'run in the background; return once Beckon is ready')
    .option('--open', 'open the inbox page in your browser')
    .option('--samples', 'add three sample requests, once, in the chat "samples"')
    .option('--json', 'print one JSON document once Beckon is ready; the log goes to stderr')
    .action(runUp);
}

async function runUp(options: UpOptions): Promise<void> {
  const flags: ConfigSources['flags'] = {
    store: options.store,
    host: options.host,
    port: options.port,
    allowedHosts: options.allowHost,
    publicUrl: options.publicUrl,
    trustedProxies: options.trustedProxy,
    tlsCert: options.tlsCert,
    tlsKey: options.tlsKey,
    allowDestinations: options.allowDestination,
    logLevel: options.logLevel,
    context: options.context,
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
  print(`Running in the background (pid ${ready.pid}). The log is ${toLogPath(ready.home)}. Stop it with: beckon down`);
  print('Open the inbox page with: beckon open');
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
    logger.info(`${String(given.signal.reason)}: stopped before it was ready`);
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
  // Never into a file: anyone who reads the link can log in with it.
  if (process.stdout.isTTY && !json) await showLinks(daemon, { open });
  else if (open) await openBrowser(`${daemon.ready.browserUrl}${await daemon.createLoginPath()}`);
  await report({ ready: daemon.ready });
  const signal = await stopRequest;
  await stop(daemon, signal, logger);
}

/** Shows the ways to the page: a QR code if a phone can reach it, the browser here, or a link, which comes last. */
async function showLinks({ ready, createLoginPath }: RunningDaemon, { open }: { open: boolean }): Promise<void> {
  if (ready.networkUrl !== undefined) {
    const { renderUnicodeCompact } = await import('uqr');
    const link = `${ready.networkUrl}${await createLoginPath()}`;
    print(`${renderUnicodeCompact(link)}\nThe inbox page, for a phone: ${paint('cyan', link)}\n`);
  }
  const link = `${ready.browserUrl}${await createLoginPath()}`;
  if (open && (await openBrowser(link)))
    return print(`Opened the inbox page in your browser. For another browser, run: ${findCommand()} open\n`);
  print(
    `Open the inbox page with this link. It works once, for 10 minutes. For another, run: ${findCommand()} open\n  ${paint('cyan', link)}\n`,
  );
}

async function stop(daemon: RunningDaemon, signal: string, logger: Logger): Promise<void> {
  logger.info(`${signal}: stopping`);
  const tooLong = setTimeout(() => {
    logger.fatal('stopping took too long, so Beckon ended without waiting. Everything acknowledged is on disk.');
    process.exit(EXIT.failed);
  }, STOP_MS);
  await daemon.stop();
  clearTimeout(tooLong);
  logger.info('stopped; everything is on disk');
}

/** Resolves with the first signal that asks for a stop. A second signal ends the process immediately. */
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

function printReady({ url, networkUrl, store, tokenFile, remarks }: Ready): void {
  for (const remark of remarks) note(remark);
  print(`${paint('bold', 'Beckon')} is ready at ${paint('cyan', url)}`);
  if (networkUrl !== undefined) print(`  others  ${networkUrl}`);
  print(`  store   ${store}`);
  print(`  token   ${tokenFile}`);
  print('');
  const command = findCommand();
  print('Ask from another terminal, and answer wherever you like:');
  print(`  ${command} ask "Is it lunch time?" --option yes --option no`);
  print(`  ${command} list`);
  print(`Every command has --help. "${command} doctor" shows every setting.`);
  print('');
}

// If npm started this process, the command may not be on the PATH.
function findCommand(): string {
  return process.env['npm_command'] === undefined ? 'beckon' : 'npx beckon';
}
