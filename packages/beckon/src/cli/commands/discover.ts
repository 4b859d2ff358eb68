import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Catalogue } from '../../components/catalogue.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { createCommand } from '../command.ts';
import { type Misfit, scan } from '../discover/scan.ts';
import { EXIT } from '../exit-codes.ts';
import { note, print, printJson } from '../output.ts';
import { formatTable } from '../table.ts';

interface DiscoverOptions {
  out: string;
  json?: boolean;
}

export function createDiscover(): Command {
  return createCommand('discover', {
    summary: 'Find your own components and write them to ai.json, for ai() and protocol().',
    examples: [
      ['beckon discover', 'search this folder'],
      ['beckon discover src/components', 'search another folder'],
      ['beckon discover --json', '{ "ok", "file", "components", "misfits" }'],
    ],
    more:
      'A component is a file that exports "metadata" with type, description and schema (JSON Schema) as literal values. Files ' +
      'are read, never run.\nExit codes: 0 all components are valid, 1 some are not (the valid ones are written), 2 none found (keeps the existing file).',
  })
    .argument('[folder]', 'the folder to search', '.')
    .option('-o, --out <file>', 'the file to write', 'ai.json')
    .option('--json', 'print JSON')
    .action(runDiscover);
}

async function runDiscover(folder: string, { out, json }: DiscoverOptions): Promise<void> {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new BeckonError('invalid_input', `Folder not found: ${resolve(folder)}`);
  }
  const { components, misfits, files } = scan(folder);
  const file = resolve(out);
  if (Object.keys(components).length === 0 && hasComponents(file)) {
    showMisfits(misfits);
    throw new BeckonError(
      'invalid_input',
      `No valid component in ${resolve(folder)}, so ${file} was not changed. Search another folder, or remove the file.`,
    );
  }
  writeFileSync(file, `${JSON.stringify({ components }, null, 2)}\n`);
  process.exitCode = misfits.length === 0 ? EXIT.answered : EXIT.failed;
  if (json === true) return printJson({ ok: misfits.length === 0, file, components, misfits });
  const rows = Object.entries(components).map(([name, one]) => [name, one.file, one.description]);
  if (rows.length > 0) print(formatTable(['COMPONENT', 'FILE', 'DESCRIPTION'], rows));
  showMisfits(misfits);
  note(`Wrote ${count(rows.length, 'component')} from ${count(files, 'file')} to ${file}.`);
  if (rows.length === 0 && misfits.length === 0) note('No file exports "metadata". See: beckon discover --help');
}

/** Whether the file already has components. */
function hasComponents(file: string): boolean {
  try {
    const { components } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Catalogue>;
    return Object.keys(components ?? {}).length > 0;
  } catch {
    return false; // The file is missing, or is not a catalogue.
  }
}

function showMisfits(misfits: readonly Misfit[]): void {
  for (const { file, line, problem } of misfits) note(`${file}:${line}: ${problem}`);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
