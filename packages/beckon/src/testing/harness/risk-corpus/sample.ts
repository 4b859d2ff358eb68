import type { ContextSummary } from '../../../protocol/context.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import type { assessRisk } from '../../../risk/assess-risk.ts';

/** A call of the corpus. `source`: the address of a report that describes it, or that it was made up. */
export interface Sample {
  source: string;
  tool: string;
  input: JsonObject;
  /** What the context says about the files of the call. */
  files?: ContextSummary['files'];
}

/** Written for the corpus, after what people and agents commonly do. Nobody recorded it. */
export const MADE_UP = 'made up';
/** The same, after what we run when we work on this repository. Nobody recorded it either. */
export const AS_WE_WORK = 'made up, after what we run in this repository';

/** The project in which every call of the corpus runs. */
export const PROJECT = { project: 'shop', root: '/home/ada/shop', folder: '/home/ada/shop' };

/** The part of a request that risk is assessed from. */
export function toRequest({ tool, input, files }: Omit<Sample, 'source'>): Parameters<typeof assessRisk>[0] {
  return { kind: 'approval', request: { tool, input }, context: { ...PROJECT, ...(files && { files }) } };
}

/** Calls of a shell. */
export function bash(source: string, ...commands: string[]): Sample[] {
  return commands.map((command) => ({ source, tool: 'Bash', input: { command } }));
}

/** Calls of another tool. */
export function call(source: string, tool: string, ...inputs: JsonObject[]): Sample[] {
  return inputs.map((input) => ({ source, tool, input }));
}

/** Where a file of a public repository is. Calls from there may be shortened; placeholders have values. */
export function fromGithub(repository: string, path: string): string {
  return `https://github.com/${repository}/blob/HEAD/${path}`;
}

/** Whether a call comes from somewhere that everybody can look at. */
export function isPublic({ source }: Sample): boolean {
  return /^https?:\/\//.test(source);
}

/** Whether a call was written for the corpus. */
export function isMadeUp({ source }: Sample): boolean {
  return source === MADE_UP || source === AS_WE_WORK;
}
