import type { LogEvent } from '../protocol/events.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { toVisible, toVisibleLine } from './visible.ts';

/** The answer alone, as `beckon ask` prints it: the text, the decision, or JSON where it has several fields. */
export function toAnswerText(interaction: Interaction): string {
  switch (interaction.kind) {
    case 'question':
      return interaction.answer?.text ?? '';
    case 'plan_review':
    case 'approval':
      return interaction.answer?.decision ?? '';
    case 'form':
      return JSON.stringify(interaction.answer?.values ?? {});
    case 'component':
      return JSON.stringify(interaction.answer ?? {});
  }
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

/** How an interaction stands, in one sentence. */
export function describeOutcome(interaction: Interaction): string {
  const { status, answeredBy, reason, expiresAt } = interaction;
  switch (status) {
    case 'pending':
      return expiresAt === undefined
        ? 'It waits for an answer.'
        : `It waits for an answer until ${toLocalTime(expiresAt)}.`;
    case 'answered': {
      const remark = toRemark(interaction);
      const by = `${answeredBy?.who}, via ${answeredBy?.via}`;
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
      return toVisible([...(description ? [description] : []), `${tool} ${JSON.stringify(input, null, 2)}`].join('\n'));
    }
    case 'form':
      return toVisible(`${interaction.request.message}\n${JSON.stringify(interaction.request.schema, null, 2)}`);
    case 'component':
      return toVisible(JSON.stringify(interaction.request.components, null, 2));
  }
}

/** One event of the log on one line. */
export function describeEvent(event: LogEvent): string {
  const head = `#${event.seq}  ${toLocalTime(event.at)}  ${event.type.padEnd(22)}`;
  return `${head}  ${toVisibleLine(toEventDetails(event), 160)}`.trimEnd();
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
      return interaction.request.plan;
    case 'approval':
      return `${interaction.request.tool} ${JSON.stringify(interaction.request.input)}`;
    case 'form':
      return interaction.request.message;
    case 'component':
      return JSON.stringify(interaction.request.components);
  }
}

function toPastWord(interaction: Interaction): string {
  if (interaction.kind === 'approval') return interaction.answer?.decision === 'deny' ? 'Denied' : 'Allowed';
  if (interaction.kind === 'plan_review' && interaction.answer?.decision === 'adjust') return 'Sent back';
  return 'Answered';
}

function toEventDetails(event: LogEvent): string {
  switch (event.type) {
    case 'interaction.answered':
    case 'interaction.late_answer':
      return `${event.interactionId}  ${event.by.who}, via ${event.by.via}: ${JSON.stringify(event.answer)}`;
    case 'interaction.feedback_requested':
      return `${event.interactionId}  ${event.by.who}, via ${event.by.via}`;
    case 'interaction.cancelled':
    case 'interaction.superseded':
      return `${event.interactionId}  ${event.reason ?? ''}`;
    case 'interaction.undeliverable':
      return `${event.interactionId}  ${event.connector}: ${event.error}`;
    case 'interaction.delivered':
      return `${event.interactionId}  ${event.connector}`;
    case 'interaction.requested':
    case 'interaction.expired':
    case 'interaction.reminded':
      return `${event.interactionId}  ${event.kind}`;
    case 'hook.received':
    case 'hook.forwarded':
      return `${event.sessionId}  ${event.eventType}`;
    case 'hook.dead':
      return `${event.sessionId}  ${event.eventType}: ${event.error}`;
    case 'session.started':
    case 'session.ended':
      return event.sessionId;
  }
}
