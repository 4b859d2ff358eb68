import type { ListFilter, RuleDraft } from 'beckon/protocol';

/** The keys of the query cache. */
export const keys = {
  me: ['me'] as const,
  pending: ['pending'] as const,
  interaction: (id: string) => ['interaction', id] as const,
  context: (id: string) => ['context', id] as const,
  conversation: (sessionId: string) => ['conversation', sessionId] as const,
  log: (id: string) => ['log', id] as const,
  histories: ['history'] as const,
  history: (filter: ListFilter) => ['history', filter] as const,
  groups: ['group'] as const,
  group: (chatId: string, groupId: string) => ['group', chatId, groupId] as const,
  plans: (sessionId: string) => ['plans', sessionId] as const,
  historyCounts: (filter: ListFilter) => ['history-counts', filter] as const,
  sessions: ['sessions'] as const,
  recentSessions: ['sessions', 'recent'] as const,
  titles: ['titles'] as const,
  snoozes: ['snoozes'] as const,
  sessionLog: (sessionId: string) => ['session-log', sessionId] as const,
  statistics: (days: number) => ['statistics', days] as const,
  devices: ['devices'] as const,
  thisDevice: ['this-device'] as const,
  machines: ['machines'] as const,
  machineLogin: (code: string | undefined, round: number | undefined) => ['machine-login', code, round] as const,
  /** Everything about rules that an event about one of them changes. */
  rules: ['rules'] as const,
  ruleList: ['rules', 'list'] as const,
  rule: (id: string) => ['rules', 'one', id] as const,
  suggestions: ['rules', 'suggestions'] as const,
  preview: (draft: RuleDraft | null) => ['rules', 'preview', draft] as const,
  offers: (id: string) => ['offers', id] as const,
  /** A link for one more browser; `round` tells one from the next. */
  ownLink: (round: number) => ['own-link', round] as const,
  destinations: ['destinations'] as const,
  deliveries: (id: string) => ['deliveries', id] as const,
};
