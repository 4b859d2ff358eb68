import type { AnswerResult } from 'beckon/client';
import { describeAnswerer } from 'beckon/presentation';
import { bulkTexts } from './bulk-texts.ts';

/** What came of one decision about several requests: "11 allowed, 1 had already been answered by bob in the inbox". */
export function describeBulk(results: readonly AnswerResult[], decision: 'allow' | 'deny'): string {
  const parts: string[] = [];
  const decided = results.filter(({ result }) => result === 'accepted' || result === 'repeated').length;
  if (decided > 0 || results.length === 0) parts.push(bulkTexts.decided[decision](decided));
  const winners = new Map<string, number>();
  for (const { result, interaction } of results) {
    if (result !== 'lost') continue;
    const by = describeAnswerer(interaction?.answeredBy);
    winners.set(by, (winners.get(by) ?? 0) + 1);
  }
  for (const [by, count] of winners) parts.push(bulkTexts.lost(count, by));
  const late = results.filter(({ result }) => result === 'late').length;
  if (late > 0) parts.push(bulkTexts.late(late));
  const unknown = results.filter(({ result }) => result === 'unknown').length;
  if (unknown > 0) parts.push(bulkTexts.unknown(unknown));
  return parts.join(', ');
}
