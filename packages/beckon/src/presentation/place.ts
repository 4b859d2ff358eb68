import type { ContextSummary } from '../protocol/context.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { toVisibleLine } from './visible.ts';

const NAME_CHARS = 60;
const TITLE_CHARS = 120;

/** Where a request comes from, as its agent says, ready to be shown. */
export interface RequestPlace {
  project?: string;
  branch?: string;
  agent?: string;
  machine?: string;
  /** The session's. */
  title?: string;
  folder?: string;
}

/** Where a request comes from, as its agent says. */
export function toPlace({ context = {} }: Pick<Interaction, 'context'>): RequestPlace {
  const place: RequestPlace = {};
  for (const name of ['project', 'branch', 'agent', 'machine', 'title', 'folder'] as const) {
    const text = toName(context, name);
    if (text !== '') place[name] = text;
  }
  return place;
}

/** The same on one line: `webshop · feature/currency · Claude Code · ada-laptop`. Empty if nothing is known. */
export function describePlace(interaction: Pick<Interaction, 'context'>): string {
  const { project, branch, agent, machine } = toPlace(interaction);
  return [project, branch, agent, machine].filter(Boolean).join(' · ');
}

/** A path as people of that project write it: without the folder that everything there is in. Not yet made visible. */
export function toShownPath(path: string, { context }: Pick<Interaction, 'context'>): string {
  const folder = context?.folder;
  if (folder === undefined || !path.startsWith(`${folder}/`)) return path;
  const rest = path.slice(folder.length + 1);
  // A path that leads out of the folder again must not look as if it stayed inside.
  return rest.split('/').includes('..') ? path : rest;
}

function toName(context: ContextSummary, name: keyof RequestPlace): string {
  const text = context[name];
  if (text === undefined) return '';
  return toVisibleLine(text, name === 'title' || name === 'folder' ? TITLE_CHARS : NAME_CHARS, 'code');
}
