import type { Command } from 'commander';
import { readConfig } from '../../daemon/config.ts';
import { toVisibleLine } from '../../presentation/visible.ts';
import { addClientOptions, type ClientOptions } from '../client.ts';
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
  const [{ checkDaemon, checkMachine, checkSettings }, { checkBridge }] = await Promise.all([
    import('../doctor/checks.ts'),
    import('../doctor/check-bridge.ts'),
  ]);
  const { config, problems } = readConfig({ flags: { host: options.host, port: options.port, store: options.store } });
  const findings = [
    ...checkSettings(config, problems),
    ...(await checkMachine(config)),
    ...(await checkDaemon(config)),
    ...(await checkBridge(config)),
  ];
  const wrong = findings.filter(({ status }) => status === 'wrong');
  process.exitCode = wrong.length === 0 ? EXIT.answered : EXIT.failed;
  if (options.json === true) return printJson({ ok: wrong.length === 0, findings });
  for (const finding of findings) print(toLine(finding));
  if (wrong.length > 0) note(wrong.length === 1 ? 'One thing is wrong.' : `${wrong.length} things are wrong.`);
}

function toLine({ name, status, found, from, next }: Finding): string {
  const origin = from === undefined ? '' : paint('dim', ` (${from})`);
  const line = `${paint(STYLES[status], status.padEnd(7))}  ${name.padEnd(12)}  ${toVisibleLine(found)}${origin}`;
  return next === undefined ? line : `${line}\n${' '.repeat(23)}${next}`;
}
