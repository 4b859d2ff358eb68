import { toVisible, toVisibleLine } from '../../core/visible.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { describeComponents, findTitle } from './component-text.ts';
import { describeFields } from './json-text.ts';

/** How an interaction stands, in one sentence, ready for a terminal. */
export function describeOutcome(interaction: Interaction): string {
  const { status, answeredBy, reason, expiresAt } = interaction;
  switch (status) {
    case 'pending':
      return expiresAt === undefined
        ? 'It waits for an answer.'
        : `It waits for an answer until ${toLocalTime(expiresAt)}.`;
    case 'answered': {
      const remark = toRemark(interaction);
      const by = toVisibleLine(`${answeredBy?.who}, via ${answeredBy?.via}`);
      return `${toPastWord(interaction)} by ${by}${remark === undefined ? '.' : `: ${toVisibleLine(remark)}`}`;
    }
    case 'expired':
      return 'Nobody answered in time.';
    case 'cancelled':
      return `It was cancelled${reason === undefined ? '.' : `: ${toVisibleLine(reason)}`}`;
    case 'superseded':
      return `It was settled elsewhere${reason === undefined ? '.' : `: ${toVisibleLine(reason)}`}`;
  }
}

/** What is asked, on one line, ready for a terminal. */
export function summarise(interaction: Interaction, chars?: number): string {
  return toVisibleLine(toHeadline(interaction), chars);
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
      const head = [tool, ...(description ? [description] : [])].map(toVisible);
      return [...head, ...describeFields(input)].join('\n');
    }
    case 'form':
      return toVisible(`${interaction.request.message}\n${JSON.stringify(interaction.request.schema, null, 2)}`);
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

/** What the person said beside the decision: a message, feedback, notes. */
function toRemark(interaction: Interaction): string | undefined {
  switch (interaction.kind) {
    case 'question':
      return interaction.answer?.notes;
    case 'plan_review':
      return interaction.answer?.feedback;
    case 'approval':
      return interaction.answer?.message;
    case 'form':
    case 'component':
      return undefined;
  }
}

function toHeadline(interaction: Interaction): string {
  switch (interaction.kind) {
    case 'question':
      return interaction.request.question;
    case 'plan_review':
      return toTitle(interaction.request.plan);
    case 'approval':
      return `${interaction.request.tool} ${JSON.stringify(interaction.request.input)}`;
    case 'form':
      return interaction.request.message;
    case 'component':
      return findTitle(interaction.request.components) ?? JSON.stringify(interaction.request.components);
  }
}

function toPastWord(interaction: Interaction): string {
  if (interaction.kind === 'approval') return interaction.answer?.decision === 'deny' ? 'Denied' : 'Allowed';
  if (interaction.kind === 'plan_review' && interaction.answer?.decision === 'adjust') return 'Sent back';
  return 'Answered';
}

/** The first line of a plan that says something, without the marks of a heading. */
function toTitle(plan: string): string {
  const titles = plan.split('\n').map((line) => line.replace(/^#+\s/, '').trim());
  return titles.find((title) => title !== '') ?? 'An empty plan';
}
