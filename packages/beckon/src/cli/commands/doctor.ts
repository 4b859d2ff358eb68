import type { Command } from 'commander';
import { readConfig } from '../../daemon/config.ts';
import { toVisibleLine } from '../../presentation/visible.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { findBeckon, type WhereFlags } from '../../where/find-beckon.ts';
import { addClientOptions, type ClientOptions, toWhereFlags } from '../client.ts';
import { createCommand } from '../command.ts';
import type { Finding } from '../doctor/checks.ts';
import { EXIT } from '../exit-codes.ts';
import { note, paint, print, printJson } from '../output.ts';

const STYLES = { ok: 'green', warning: 'yellow', wrong: 'red' } as const;

export function createDoctor(): Command {
  return addClientOptions(
    createCommand('doctor', {
      summary: 'Show every setting, where it comes from, and what is wrong.',
      examples: [
        ['beckon doctor', 'check everything, change nothing'],
        ['beckon doctor --json', '{ "ok": true, "findings": […] }'],
      ],
      more: 'Exit codes: 0 no errors (there may be warnings), 1 something is wrong.',
    }).option('--store <store>', 'check this store'),
  ).action(runDoctor);
}

async function runDoctor(options: ClientOptions & { store?: string }): Promise<void> {
  const [{ checkMachine, checkSettings }, { checkConnection }, { checkBridge, checkElsewhere }, { checkNotify }] =
    await Promise.all([
      import('../doctor/checks.ts'),
      import('../doctor/check-connection.ts'),
      import('../doctor/check-bridge.ts'),
      import('../doctor/check-notify.ts'),
    ]);
  const { config, problems } = readConfig({ flags: { host: options.host, port: options.port, store: options.store } });
  const findings = [
    ...checkSettings(config, problems),
    ...(await checkMachine(config, isElsewhere(toWhereFlags(options)))),
    ...(await checkConnection(toWhereFlags(options), problems)),
    ...(await checkBridge(config)),
    ...checkElsewhere(config),
    ...(await checkNotify(config)),
  ];
  const wrong = findings.filter(({ status }) => status === 'wrong');
  process.exitCode = wrong.length === 0 ? EXIT.answered : EXIT.failed;
  if (options.json === true) return printJson({ ok: wrong.length === 0, findings });
  for (const finding of findings) print(toLine(finding));
  if (wrong.length > 0) note(wrong.length === 1 ? 'One thing is wrong.' : `${wrong.length} things are wrong.`);
}

/** Whether commands use a Beckon of another machine. If that cannot be found out, another check says why. */
function isElsewhere(flags: WhereFlags): boolean {
  try {
    return !findBeckon({ flags }).isOwn;
  } catch (error) {
    if (error instanceof BeckonError) return false;
    throw error;
  }
}

function toLine({ name, status, found, from, next }: Finding): string {
  const origin = from === undefined ? '' : paint('dim', ` (${from})`);
  const line = `${paint(STYLES[status], status.padEnd(7))}  ${name.padEnd(14)}  ${toVisibleLine(found)}${origin}`;
  return next === undefined ? line : `${line}\n${' '.repeat(25)}${next}`;
}
