// What the three agents have in common: a release to three stages, in a folder that outlives the process.
import { appendFileSync } from 'node:fs';

export const STAGES = ['preview', 'staging', 'production'];

/** The folder of this release, and how many seconds people have. */
export const folder = process.argv[2] ?? '.';
export const timeout = Number(process.argv[3] ?? 3600);

/** Does what must happen once, and leaves a trace of it. */
export function release(stage: string): string {
  appendFileSync(`${folder}/released.txt`, `${stage}\n`);
  return `v1.2 is in ${stage}.`;
}
