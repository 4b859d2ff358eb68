import type { Interaction, InteractionOf } from '../protocol/interaction.ts';
import { findTitle } from './component-actions.ts';
import { toJsonText, toVisibleLine } from './visible.ts';

const HEADLINE_CHARS = 200;
/** A plan whose title comes later has none. */
const TITLE_CHARS = 20_000;
/** The fields that say most about a tool call, the most telling first. */
const TELLING = ['command', 'file_path', 'notebook_path', 'path', 'url', 'query', 'pattern', 'description', 'prompt'];

/** What is asked, on one line that can be shown anywhere: `Bash: git push`. */
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
      return toCall(interaction.request);
    case 'form':
      return orElse(interaction.request.message, 'A form');
    case 'component':
      return orElse(findTitle(interaction.request.components) ?? '', 'Something to look at');
  }
}

function toCall({ tool, input, description }: InteractionOf<'approval'>['request']): string {
  const telling = TELLING.map((name) => input[name])
    .filter((value) => typeof value === 'string')
    .find((text) => text !== '');
  const about = telling ?? description ?? (Object.keys(input).length === 0 ? '' : toJsonText(input));
  // Without a mark, two lines of a script would read as one command.
  const lines = about.split('\n').filter((line) => !isBlank(line));
  return lines.length === 0 ? tool : `${tool}: ${lines.join(' ↵ ')}`;
}

/** The first line of a plan that has words, without the marks of Markdown. */
function toPlanTitle(plan: string): string {
  const lines = plan.slice(0, TITLE_CHARS).split('\n');
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
