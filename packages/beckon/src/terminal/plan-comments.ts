import { toVisible } from '../presentation/visible.ts';
import type { PlanComment } from '../protocol/answers.ts';

const HINT = 'Write comments below the line they are about, each after ">>". Everything else stays as it is.';
const NUMBERED = /^ *(\d+) \|/;
const COMMENT = /^>>(.*)$/;

/** A plan for the editor, with numbered lines and the comments so far below theirs. */
export function toCommentable(plan: string, comments: readonly PlanComment[]): string {
  const lines = plan.split('\n');
  const width = String(lines.length).length;
  const numbered = lines.flatMap((text, index) => {
    const own = comments.filter(({ line }) => line === index + 1).map(({ comment }) => `>> ${comment}`);
    return [`${String(index + 1).padStart(width)} | ${toVisible(text)}`.trimEnd(), ...own];
  });
  return `${[HINT, '', ...numbered].join('\n')}\n`;
}

/** The comments in what the person wrote. Each is about the numbered line above it, or about the first. */
export function readComments(text: string, plan: string): PlanComment[] {
  const lines = plan.split('\n');
  const comments: PlanComment[] = [];
  let line = 1;
  for (const written of text.split('\n')) {
    const [, number] = NUMBERED.exec(written) ?? [];
    const [, comment = ''] = COMMENT.exec(written) ?? [];
    if (number !== undefined) line = Math.min(Math.max(1, Number(number)), lines.length);
    else if (comment.trim() !== '') comments.push({ quote: lines[line - 1] ?? '', line, comment: comment.trim() });
  }
  return comments;
}
