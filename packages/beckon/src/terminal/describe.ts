import { describeOutcome } from '../presentation/describe-outcome.ts';
import { toJsonText, toVisible } from '../presentation/visible.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { describeComponents } from './component-text.ts';
import { describeFields } from './json-text.ts';

/** The status as a sentence. A pending interaction says until when it waits, by the person's clock. */
export function describeStatus(interaction: Interaction): string {
  const { status, expiresAt } = interaction;
  return status === 'pending' && expiresAt !== undefined
    ? `Waiting for an answer until ${toLocalTime(expiresAt)}.`
    : describeOutcome(interaction);
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

/** A time by the person's clock, with the date unless it is today. */
export function toLocalTime(iso: string): string {
  const at = new Date(iso);
  const time = at.toTimeString().slice(0, 8);
  if (at.toDateString() === new Date().toDateString()) return time;
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  return `${day} ${time}`;
}
