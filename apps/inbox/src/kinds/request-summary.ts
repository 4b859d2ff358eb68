import { toJsonText, toVisibleLine } from 'beckon/presentation';
import type { Interaction, InteractionOf } from 'beckon/protocol';
import { findTitle } from './component/component-actions.ts';
import { ownText } from './parts/json-text.ts';
import { texts } from './texts.ts';

const CHARS = 200;

/** A request on one line, with invisible characters spelled out. */
export function summarize(interaction: Interaction): string {
  return toVisibleLine(toHeadline(interaction), CHARS, interaction.kind === 'approval' ? 'code' : 'prose');
}

function toHeadline(interaction: Interaction): string {
  switch (interaction.kind) {
    case 'question':
      return orElse(interaction.request.question, texts.emptyQuestion);
    case 'plan_review':
      return orElse(toPlanTitle(interaction.request.plan), texts.emptyPlan);
    case 'approval':
      return toCall(interaction);
    case 'form':
      return orElse(interaction.request.message, texts.form);
    case 'component':
      return orElse(findTitle(interaction.request.components) ?? '', texts.component);
  }
}

/** The fields that say most about a call. The first one present is used. */
const TELLING = ['command', 'file_path', 'notebook_path', 'path', 'url', 'query', 'pattern', 'description', 'prompt'];

function toCall({ request: { tool, input, description } }: InteractionOf<'approval'>): string {
  const telling = TELLING.map((name) => ownText(input, name)).find((text) => text !== undefined && text !== '');
  const about = telling ?? description ?? (Object.keys(input).length === 0 ? '' : toJsonText(input));
  return about === '' ? tool : `${tool}: ${about}`;
}

/** The first line of a plan that says something, without Markdown marks. */
function toPlanTitle(plan: string): string {
  const lines = plan.slice(0, 20_000).split('\n');
  const titles = lines.map((line) => line.replace(/^[#>\s]+/, '').trim());
  return titles.find((title) => /[\p{L}\p{N}]/u.test(title)) ?? '';
}

function orElse(text: string, other: string): string {
  return text.trim() === '' ? other : text;
}
