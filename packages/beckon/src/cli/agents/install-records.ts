import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { makePrivateFolder, readIfThere, writePrivateFile } from '../../machine/private-file.ts';
import { toHome, toHomeFile } from '../../where/home.ts';

/** What Beckon left in an agent's file, and where the file as it was before is. */
const InstallRecord = z.object({
  /** Of the text that Beckon wrote: once somebody changes the file, the record no longer counts. */
  digest: z.string(),
  /** The copy of the file as it was before; `null` if there was none. */
  backup: z.nullable(z.string()),
  /** The topmost folder that was made for the file; `null` if all were there. */
  folder: z.nullable(z.string()),
});
export type InstallRecord = z.infer<typeof InstallRecord>;

/** By the path of the file. */
export type InstallRecords = Readonly<Record<string, InstallRecord>>;

const InstallRecords = z.record(z.string(), InstallRecord);

/** A file as it was before Beckon changed it. `text` is `undefined` if there was none. */
export interface Original {
  text: string | undefined;
  record: InstallRecord;
}

/** Reads the records of this user. They only make removing exact, so a file that cannot be read counts as none. */
export function readInstallRecords(home: string = toHome(process.env)): InstallRecords {
  try {
    return InstallRecords.parse(JSON.parse(readIfThere(toHomeFile(home, 'installed')) ?? '{}'));
  } catch {
    return {};
  }
}

/** Replaces the records of this user. */
export function writeInstallRecords(records: InstallRecords, home: string = toHome(process.env)): void {
  makePrivateFolder(home);
  writePrivateFile(toHomeFile(home, 'installed'), `${JSON.stringify(records, null, 2)}\n`);
}

/** Finds what a file was before, if nobody but Beckon has changed it since. */
export function findOriginal(records: InstallRecords, path: string, text: string | undefined): Original | null {
  const record = records[path];
  if (record === undefined || text === undefined || toTextDigest(text) !== record.digest) return null;
  if (record.backup === null) return { text: undefined, record };
  const before = readIfThere(record.backup);
  return before === undefined ? null : { text: before, record };
}

/** How a text is recognized. */
export function toTextDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
