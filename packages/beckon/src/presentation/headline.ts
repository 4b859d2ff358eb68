import type { Interaction, InteractionOf } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import { findPatch } from '../protocol/tool-input.ts';
import { findTitle } from './component-actions.ts';
import { toShownPath } from './place.ts';
import { toToolName } from './tool-name.ts';
import { toJsonText, toVisibleLine } from './visible.ts';

const HEADLINE_CHARS = 200;
/** A plan whose title comes later has none, and a patch names its files before this. */
const READ_CHARS = 20_000;
/** The fields that say most about a tool call, the most telling first. */
const TELLING = [
  'command',
  'file_path',
  'notebook_path',
  'path',
  'url',
  'title',
  'name',
  'query',
  'pattern',
  'description',
  'prompt',
];

/** What is asked, on one line that can be shown anywhere: `Edit src/cart.ts`, `Run the tests · npm test`. */
export function toHeadline(interaction: Interaction, chars = HEADLINE_CHARS): string {
  return toVisibleLine(toText(interaction), chars, interaction.kind === 'approval' ? 'code' : 'prose');
}

function toText(interaction: Interaction): string {
  switch (interaction.kind) {
    case 'question':
      return orElse(interaction.request.question, 'A question');
    case 'plan_review':
      return orElse(toPlanTitle(interaction.request.plan), 'An empty plan');
    case 'approval':
      return toCall(interaction);
    case 'form':
      return orElse(interaction.request.message, 'A form');
    case 'component':
      return orElse(findTitle(interaction.request.components) ?? '', 'Something to look at');
  }
}

function toCall(interaction: InteractionOf<'approval'>): string {
  const { tool, input, description } = interaction.request;
  const known = toKnownCall(interaction);
  if (known !== undefined) return known;
  const { server, tool: name } = toToolName(tool);
  const telling = TELLING.map((field) => toOneLine(input[field])).find((text) => text !== '');
  const about = telling ?? toOneLine(description ?? (Object.keys(input).length === 0 ? '' : toJsonText(input)));
  return [server, name, about].filter(Boolean).join(': ');
}

/** The call of a tool that most coding agents have; `undefined` for any other tool, or an input of another shape. */
function toKnownCall(interaction: InteractionOf<'approval'>): string | undefined {
  const { tool, input, description } = interaction.request;
  switch (tool) {
    case 'Bash':
      return toCommand(input, description);
    case 'Edit':
    case 'MultiEdit':
      return withPath('Edit', interaction, 'file_path');
    case 'NotebookEdit':
      return withPath('Edit', interaction, 'notebook_path');
    case 'Write':
      return withPath(toWriteVerb(interaction), interaction, 'file_path');
    case 'apply_patch':
      return toPatch(interaction);
    case 'WebFetch':
      return toFetch(input);
    default:
      return undefined;
  }
}

// The description is what the agent says of the command, so the command itself is always there as well.
function toCommand(input: JsonObject, description: string | undefined): string | undefined {
  const command = toOneLine(input['command']);
  if (command === '') return undefined;
  const about = toOneLine(input['description'] ?? description);
  return about === '' ? command : `${about} · ${command}`;
}

function withPath(verb: string, interaction: InteractionOf<'approval'>, field: string): string | undefined {
  const path = interaction.request.input[field];
  return typeof path === 'string' && path !== '' ? `${verb} ${toShownPath(path, interaction)}` : undefined;
}

function toWriteVerb({ request, context }: InteractionOf<'approval'>): string {
  const file = context?.files?.find(({ path }) => path === request.input['file_path']);
  if (file === undefined) return 'Write';
  return file.isNew === true ? 'Create' : 'Overwrite';
}

function toPatch({ request }: InteractionOf<'approval'>): string | undefined {
  const start = findPatch(request.input)?.text.slice(0, READ_CHARS) ?? '';
  const files = [...start.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map(([, path]) => path);
  return files.length === 0 ? undefined : `Patch ${files.join(', ')}`;
}

function toFetch(input: JsonObject): string | undefined {
  const url = typeof input['url'] === 'string' ? input['url'] : '';
  return url === '' ? undefined : `Fetch ${url.replace(/^https:\/\//, '')}`;
}

/**
 * The lines of a text in one, with a mark between them: without it, two lines of a script would read as one command.
 */
function toOneLine(value: unknown): string {
  if (typeof value !== 'string') return '';
  const lines = value.split('\n').filter((line) => !isBlank(line));
  return lines.map((line) => line.trim()).join(' ↵ ');
}

/** The first line of a plan that has words, without the marks of Markdown. */
function toPlanTitle(plan: string): string {
  const lines = plan.slice(0, READ_CHARS).split('\n');
  const titles = lines.map((line) => line.replace(/^[#>\s]+/, '').trim());
  return titles.find((title) => /[\p{L}\p{N}]/u.test(title)) ?? '';
}

function orElse(text: string, other: string): string {
  return isBlank(text) ? other : text;
}

// Other characters that draw nothing are not blank: they must be marked.
function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}
