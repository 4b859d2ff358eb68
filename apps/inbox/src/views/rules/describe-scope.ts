import type { RuleScope } from 'beckon/client';
import { toVisibleLine } from 'beckon/presentation';
import { texts } from './texts.ts';

/** Whose requests a rule is about, in words. */
export function describeScope({ project, folder, sessionId, chatId, askedBy }: RuleScope): string {
  const parts = [
    project !== undefined && texts.details.project(toVisibleLine(project, 100, 'code')),
    folder !== undefined && texts.details.folder(toVisibleLine(folder, 300, 'code')),
    sessionId !== undefined && texts.details.session(toVisibleLine(sessionId, 100, 'code')),
    chatId !== undefined && texts.details.chat(toVisibleLine(chatId, 100, 'code')),
    askedBy !== undefined && texts.details.askedBy(toVisibleLine(askedBy, 100, 'code')),
  ];
  return parts.filter((part) => part !== false).join(', ') || texts.details.everywhere;
}
