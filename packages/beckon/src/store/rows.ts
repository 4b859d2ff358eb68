import { toIso, toMs } from '../core/clock.ts';
import type { LogEvent } from '../protocol/events.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { toRequestDigest } from './request-digest.ts';
import type { InteractionChange, InteractionRow, LogRow } from './tables.ts';

export function toInteractionRow(interaction: Interaction, seq: number): InteractionRow {
  return {
    ...toInteractionChange(interaction, seq),
    id: interaction.id,
    idempotency_key: interaction.idempotencyKey ?? null,
    chat_id: interaction.chatId,
    session_id: interaction.sessionId ?? null,
    group_id: interaction.groupId ?? null,
    kind: interaction.kind,
    created_at: toMs(interaction.createdAt),
    expires_at: toNullableMs(interaction.expiresAt),
    body: JSON.stringify({
      request: interaction.request,
      metadata: interaction.metadata,
      context: interaction.context,
      askedBy: interaction.askedBy,
      askerId: interaction.askerId,
    }),
    digest: interaction.idempotencyKey === undefined ? null : toRequestDigest(interaction),
  };
}

export function toInteractionChange(interaction: Interaction, seq: number): InteractionChange {
  const { status, awaitingFeedback, settledAt, answer, answeredBy, reason } = interaction;
  return {
    seq,
    status,
    awaiting_feedback: awaitingFeedback ? 1 : 0,
    settled_at: toNullableMs(settledAt),
    outcome: settledAt === undefined ? null : JSON.stringify({ answer, answeredBy, reason }),
  };
}

/** `toInteractionRow` wrote the row, so its parts fit together; the type cannot know. */
export function fromInteractionRow(row: InteractionRow): Interaction {
  return {
    id: row.id,
    chatId: row.chat_id,
    ...(row.session_id !== null && { sessionId: row.session_id }),
    ...(row.group_id !== null && { groupId: row.group_id }),
    ...(row.idempotency_key !== null && { idempotencyKey: row.idempotency_key }),
    kind: row.kind,
    ...JSON.parse(row.body),
    status: row.status,
    awaitingFeedback: row.awaiting_feedback === 1,
    ...(row.outcome !== null && JSON.parse(row.outcome)),
    ...(row.expires_at !== null && { expiresAt: toIso(row.expires_at) }),
    createdAt: toIso(row.created_at),
    ...(row.settled_at !== null && { settledAt: toIso(row.settled_at) }),
  } as Interaction;
}

export function toLogRow(event: LogEvent): LogRow {
  const { seq, type, at, interactionId, chatId, sessionId, ...data } = event as LogEvent & {
    interactionId?: string;
    chatId?: string;
    sessionId?: string;
  };
  return {
    seq,
    type,
    at: toMs(at),
    interaction_id: interactionId ?? null,
    chat_id: chatId ?? null,
    session_id: sessionId ?? null,
    data: JSON.stringify(data),
  };
}

/** `toLogRow` wrote the row, so its parts fit together; the type cannot know. */
export function fromLogRow(row: LogRow): LogEvent {
  return {
    seq: row.seq,
    type: row.type,
    at: toIso(row.at),
    ...(row.interaction_id !== null && { interactionId: row.interaction_id }),
    ...(row.chat_id !== null && { chatId: row.chat_id }),
    ...(row.session_id !== null && { sessionId: row.session_id }),
    ...JSON.parse(row.data),
  } as LogEvent;
}

function toNullableMs(iso: string | undefined): number | null {
  return iso === undefined ? null : toMs(iso);
}
