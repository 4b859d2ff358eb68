import { statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { BeckonError } from '../../protocol/errors.ts';
import { createCommand } from '../command.ts';
import { scan } from '../discover/scan.ts';
import { EXIT } from '../exit-codes.ts';
import { formatTable, note, print, printJson } from '../output.ts';

interface DiscoverOptions {
  out: string;
  json?: boolean;
}

export function createDiscover(): Command {
  return createCommand('discover', {
    summary: 'Find your own components, and write them to ai.json for ai() and protocol().',
    examples: [
      ['beckon discover', 'look in this folder'],
      ['beckon discover src/components', 'look there'],
      ['beckon discover --json', '{ "ok", "file", "components", "misfits" }'],
    ],
    more:
      'A component is a file that exports "metadata" with type, description and schema (JSON Schema), written out: the files ' +
      'are read, never run.\nExit codes: 0 all fit, 1 some do not; those that do are written.',
  })
    .argument('[folder]', 'where to look, with its folders', '.')
    .option('-o, --out <file>', 'where to write', 'ai.json')
    .option('--json', 'print JSON')
    .action(runDiscover);
}

async function runDiscover(folder: string, { out, json }: DiscoverOptions): Promise<void> {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new BeckonError('invalid_input', `There is no folder ${resolve(folder)}.`);
  }
  const { components, misfits, files } = scan(folder);
  const file = resolve(out);
  writeFileSync(file, `${JSON.stringify({ components }, null, 2)}\n`);
  process.exitCode = misfits.length === 0 ? EXIT.answered : EXIT.failed;
  if (json === true) return printJson({ ok: misfits.length === 0, file, components, misfits });
  const rows = Object.entries(components).map(([name, one]) => [name, one.file, one.description]);
  if (rows.length > 0) print(formatTable(['COMPONENT', 'FILE', 'DESCRIPTION'], rows));
  for (const { file: where, line, problem } of misfits) note(`${where}:${line}: ${problem}`);
  note(`${rows.length} components of ${files} files are in ${file}.`);
  if (rows.length === 0 && misfits.length === 0) note('No file exports "metadata". See: beckon discover --help');
}
