import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Catalogue } from '../../components/catalogue.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { createCommand } from '../command.ts';
import { type Misfit, scan } from '../discover/scan.ts';
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
      'are read, never run.\nExit codes: 0 all fit, 1 some do not; those that do are written. 2 none was found, and the file with those of before stays.',
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
  if (Object.keys(components).length === 0 && hasComponents(file)) {
    showMisfits(misfits);
    throw new BeckonError(
      'invalid_input',
      `${resolve(folder)} has no component that fits, so ${file} stays as it is. Name another folder, or remove the file.`,
    );
  }
  writeFileSync(file, `${JSON.stringify({ components }, null, 2)}\n`);
  process.exitCode = misfits.length === 0 ? EXIT.answered : EXIT.failed;
  if (json === true) return printJson({ ok: misfits.length === 0, file, components, misfits });
  const rows = Object.entries(components).map(([name, one]) => [name, one.file, one.description]);
  if (rows.length > 0) print(formatTable(['COMPONENT', 'FILE', 'DESCRIPTION'], rows));
  showMisfits(misfits);
  note(`${count(rows.length, 'component')} of ${count(files, 'file')} ${rows.length === 1 ? 'is' : 'are'} in ${file}.`);
  if (rows.length === 0 && misfits.length === 0) note('No file exports "metadata". See: beckon discover --help');
}

/** Whether the file is a catalogue that somebody would miss. */
function hasComponents(file: string): boolean {
  try {
    const { components } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Catalogue>;
    return Object.keys(components ?? {}).length > 0;
  } catch {
    return false; // It is not there, or no catalogue.
  }
}

function showMisfits(misfits: readonly Misfit[]): void {
  for (const { file, line, problem } of misfits) note(`${file}:${line}: ${problem}`);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
