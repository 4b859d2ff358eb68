import { describeOutcome, describeStep } from '../presentation/describe-outcome.ts';
import { toJsonText, toVisible, toVisibleLine } from '../presentation/visible.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { describeComponents, findTitle } from './component-text.ts';
import { describeFields } from './json-text.ts';

/** How an interaction stands, with the person's clock where it waits. */
export function describeStanding(interaction: Interaction): string {
  const { status, expiresAt } = interaction;
  return status === 'pending' && expiresAt !== undefined
    ? `It waits for an answer until ${toLocalTime(expiresAt)}.`
    : describeOutcome(interaction);
}

/** The kind of an interaction, and which of several it is: "question 2 of 3". */
export function toKindText(interaction: Interaction): string {
  return [interaction.kind.replace('_', ' '), describeStep(interaction)].filter(Boolean).join(' ');
}

/** What is asked, on one line, ready for a terminal. */
export function summarise(interaction: Interaction, chars?: number): string {
  return toVisibleLine(toHeadline(interaction), chars, interaction.kind === 'approval' ? 'code' : 'prose');
}

/** What is asked, in full, ready for a terminal. */
export function describeRequest(interaction: Interaction): string {
  switch (interaction.kind) {
    case 'question': {
      const { header, question, options } = interaction.request;
      const lines = options.map(({ label, description }) => `  - ${label}${description ? `: ${description}` : ''}`);
      return toVisible([...(header ? [`[${header}]`] : []), question, ...lines].join('\n'));
    }
    case 'plan_review':
      return toVisible(interaction.request.plan);
    case 'approval': {
      const { tool, input, description } = interaction.request;
      const head = [toVisible(tool, 'code'), ...(description ? [toVisible(description)] : [])];
      return [...head, ...describeFields(input)].join('\n');
    }
    case 'form':
      return `${toVisible(interaction.request.message)}\n${toVisible(toJsonText(interaction.request.schema, 2), 'code')}`;
    case 'component':
      return describeComponents(interaction.request.components);
  }
}

/** A time as the person's clock shows it; with the date where it is not today. */
export function toLocalTime(iso: string): string {
  const at = new Date(iso);
  const time = at.toTimeString().slice(0, 8);
  if (at.toDateString() === new Date().toDateString()) return time;
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  return `${day} ${time}`;
}

function toHeadline(interaction: Interaction): string {
  switch (interaction.kind) {
    case 'question':
      return interaction.request.question;
    case 'plan_review':
      return toTitle(interaction.request.plan);
    case 'approval':
      return `${interaction.request.tool} ${toJsonText(interaction.request.input)}`;
    case 'form':
      return interaction.request.message;
    case 'component':
      return findTitle(interaction.request.components) ?? toJsonText(interaction.request.components);
  }
}

/** The first line of a plan that says something, without the marks of a heading. */
function toTitle(plan: string): string {
  const titles = plan.split('\n').map((line) => line.replace(/^#+\s/, '').trim());
  return titles.find((title) => title !== '') ?? 'An empty plan';
}
