import { BeckonError } from '../../protocol/errors.ts';
import { toDiff } from '../claude/diff.ts';
import { EXIT } from '../exit-codes.ts';
import { note, paint, print } from '../output.ts';
import type { FileChange } from './agent-client.ts';
import { findOriginal, readInstallRecords } from './install-records.ts';
import { checkChanges, writeChanges } from './write-changes.ts';

/** The options that every command that changes agents' files takes. */
export interface ChangeOptions {
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
}

/** What became of the changes. */
export interface AppliedChanges {
  /** `shown`: nothing more was wanted. `declined`: the person said no. */
  outcome: 'none' | 'shown' | 'declined' | 'made';
  changes: AppliedChange[];
}

/** What became of one file. */
interface AppliedChange {
  path: string;
  /** There is no such file any more. */
  isRemoved: boolean;
  diff: string[];
  /** The file as it was before. */
  backup?: string;
}

/**
 * Shows what connecting changes, asks once, and makes all changes or none. `isOurs` says which files have something of
 * Beckon's already. Throws `invalid_input` if one of the files cannot be changed, or was changed since it was read:
 * agents write them too, and a person may take long to decide.
 */
export function applyInstall(
  changes: readonly FileChange[],
  options: ChangeOptions,
  isOurs: (path: string) => boolean,
): Promise<AppliedChanges> {
  return apply(changes, options, isOurs);
}

/** The same for removing. A file that nobody changed since Beckon did becomes exactly what it was before. */
export function applyUninstall(changes: readonly FileChange[], options: ChangeOptions): Promise<AppliedChanges> {
  const records = readInstallRecords();
  const exact = changes.map((change) => {
    const original = findOriginal(records, change.path, change.before);
    return original === null ? change : { ...change, after: original.text };
  });
  return apply(exact, options, () => true);
}

async function apply(
  planned: readonly FileChange[],
  { dryRun = false, yes = false, json = false }: ChangeOptions,
  isOurs: (path: string) => boolean,
): Promise<AppliedChanges> {
  const wanted = planned.filter(({ before, after }) => before !== after);
  if (wanted.length === 0) return { outcome: 'none', changes: [] };
  const changes = wanted.map(({ path, before, after }) => ({
    path,
    isRemoved: after === undefined,
    diff: toDiff(before ?? '', after ?? ''),
  }));
  if (!json) for (const [index, change] of wanted.entries()) show(change, changes[index]?.diff ?? []);
  if (dryRun) return { outcome: 'shown', changes };
  if (!yes) {
    // Whoever says yes should not hear then that it cannot be done.
    checkChanges(wanted);
    if (!(await confirm(wanted))) {
      note('Nothing was changed.');
      process.exitCode = EXIT.cancelled;
      return { outcome: 'declined', changes };
    }
  }
  checkChanges(wanted);
  const backups = writeChanges(wanted, { records: readInstallRecords(), isOurs, now: new Date() });
  const made = changes.map((change) => {
    const backup = backups.get(change.path);
    return { ...change, ...(backup !== undefined && { backup }) };
  });
  return { outcome: 'made', changes: made };
}

function show({ path, before, after }: FileChange, diff: readonly string[]): void {
  const what = before === undefined ? ' (new)' : after === undefined ? ' (removed)' : '';
  print(paint('bold', `${path}${what}`));
  for (const line of diff) {
    if (line.startsWith('+')) print(paint('green', line));
    else if (line.startsWith('-')) print(paint('red', line));
    else print(line);
  }
}

async function confirm(changes: readonly FileChange[]): Promise<boolean> {
  const paths = changes.map(({ path }) => path).join(', ');
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new BeckonError(
      'invalid_input',
      `Cannot ask for confirmation without a terminal. Add --yes to change ${paths}, or --dry-run to see the change.`,
    );
  }
  const clack = await import('@clack/prompts');
  const message = changes.length === 1 ? 'Make this change?' : `Make these ${changes.length} changes?`;
  return (await clack.confirm({ message })) === true;
}
